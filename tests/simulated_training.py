"""Simulated weeks of training, written to a study through its store.

Run as a program it fills a study on disk, to look at: `python -m tests.simulated_training STUDY`.
"""

import random
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert, select

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.clock import SystemClock, stamp
from labeler.core.study.entities import ExposureOccasion, Role, SessionTask
from labeler.store.schema import (
    ClassRow,
    ExposureRow,
    ImageRow,
    ParticipantRow,
    PredictionRow,
    SessionRow,
    TrainingPoolRow,
    TrialRow,
)
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class Trainee:
    """A person's code, how well they begin and end, and how many weeks they have trained."""

    code: str
    first: float
    last: float
    weeks: int = 4
    a_day: int = 45


@dataclass(frozen=True, slots=True)
class TrainedAnswer:
    """One answer to be written: who, which image, which class, when."""

    code: str
    image: int
    label: str
    at: datetime


def write_answers(store: StudyStore, answers: Sequence[TrainedAnswer]) -> None:
    """Write trials, predictions and exposures as training leaves them, all in one transaction."""
    with store.write() as study:
        session = study.session
        people = dict(session.execute(select(ParticipantRow.code, ParticipantRow.id)).all())
        classes = dict(session.execute(select(ClassRow.wnid, ClassRow.id)).all())
        targets = dict(session.execute(select(ImageRow.id, ImageRow.target_id)).all())
        begun = {_sitting(answer): answer for answer in reversed(answers)}
        sessions = {sitting: str(uuid.uuid4()) for sitting in begun}
        rows: dict[type, list[dict[str, object]]] = {
            SessionRow: [
                _session(sessions[sitting], people[first.code], first.at)
                for sitting, first in begun.items()
            ]
        }
        for position, answer in enumerate(answers, start=1):
            person, at = people[answer.code], stamp(answer.at)
            given = {"participant_id": person, "image_id": answer.image}
            trial = {"id": str(uuid.uuid4()), "task": SessionTask.TRAIN, **given}
            rows.setdefault(TrialRow, []).append({**trial, "position": position, "shown_at": at})
            prediction = {
                "id": str(uuid.uuid4()),
                "trial_id": trial["id"],
                "task": SessionTask.TRAIN,
            }
            rows.setdefault(PredictionRow, []).append(
                {
                    **prediction,
                    **given,
                    "revision": 1,
                    "class_id": classes[answer.label],
                    "escape_hatch": False,
                    "note": "",
                    "shown_at": at,
                    "committed_at": at,
                }
            )
            seen = {
                "occasion": ExposureOccasion.TRAINING,
                "class_id": targets[answer.image],
                "at": at,
            }
            rows.setdefault(ExposureRow, []).append(
                {**given, **seen, "session_id": sessions[_sitting(answer)]}
            )
        for kind, written in rows.items():
            session.execute(insert(kind), written)


def _sitting(answer: TrainedAnswer) -> tuple[str, date]:
    """A person sits down once a day."""
    return answer.code, answer.at.date()


def _session(session_id: str, person: int, began: datetime) -> dict[str, object]:
    return {
        "id": session_id,
        "participant_id": person,
        "role": Role.LABELER,
        "task": SessionTask.TRAIN,
        "program_version": "0.1",
        "started_at": stamp(began),
    }


def training_images(store: StudyStore) -> list[tuple[int, str]]:
    """The images of the training pool with their targets."""
    with store.read() as study:
        query = (
            select(ImageRow.id, ClassRow.wnid)
            .join(TrainingPoolRow, TrainingPoolRow.image_id == ImageRow.id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .order_by(ImageRow.id)
        )
        return [(image, wnid) for image, wnid in study.session.execute(query)]


def train_for_weeks(store: StudyStore, *trainees: Trainee, seed: int = 1) -> None:
    """Have people train on most days of some weeks, each getting better in their own way."""
    images = training_images(store)
    now = store.clock.utc()
    for trainee in trainees:
        chance = random.Random(f"{seed} {trainee.code}")
        known = images[: round(len(images) * 0.8)]
        answers = list(_answers(trainee, known, store.taxonomy, chance, now))
        write_answers(store, answers)


def _answers(trainee: Trainee, images, taxonomy: Taxonomy, chance: random.Random, now: datetime):
    days = [day for day in range(trainee.weeks * 7) if chance.random() < 0.7]
    for day in days:
        skill = trainee.first + (trainee.last - trainee.first) * day / max(days)
        moment = now - timedelta(days=max(days) - day, hours=2)
        for image, target in chance.sample(
            images, min(chance.randint(trainee.a_day // 3, trainee.a_day), len(images))
        ):
            moment += timedelta(seconds=chance.randint(5, 60))
            right = chance.random() < skill
            label = target if right else _mistake(taxonomy, target, [w for _i, w in images], chance)
            yield TrainedAnswer(trainee.code, image, label, moment)


def _mistake(taxonomy: Taxonomy, target: str, offered: list[str], chance: random.Random) -> str:
    """Mostly the nearest class that there is; people confuse what looks alike."""
    near = sorted(set(offered) - {target}, key=lambda wnid: taxonomy.distance(target, wnid))
    return near[0] if chance.random() < 0.6 else chance.choice(near[:4])


def main() -> None:
    with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
        train_for_weeks(store, Trainee("A", 0.55, 0.9), Trainee("B", 0.7, 0.85, weeks=3, a_day=20))


if __name__ == "__main__":
    main()
