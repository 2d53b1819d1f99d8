"""Answers of people to the same question twice, for the lead's statistics only."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.statistics.self_consistency import RepeatedAnswer, RepeatedTask
from labeler.core.study.entities import SessionTask, Stage
from labeler.store.schema import (
    ParticipantRow,
    PredictionRow,
    RepeatedPredictionRow,
    RepeatedReviewRow,
    ReviewRepeatRow,
    ReviewRow,
)

_REVIEWS = {Stage.INITIAL: RepeatedTask.INITIAL_REVIEW, Stage.FINAL: RepeatedTask.FINAL_REVIEW}


class _Answer(NamedTuple):
    code: int
    at: str


def repeated_answers(
    session: Session,
) -> Iterator[tuple[str, RepeatedTask, list[RepeatedAnswer]]]:
    """Yield each person and task with its repeated answers; the last revisions count."""
    codes = dict(session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())
    found = {RepeatedTask.EVALUATION: _of_evaluation(session)} | {
        task: _of_review(session, stage) for stage, task in _REVIEWS.items()
    }
    for task, by_person in found.items():
        for person in sorted(by_person):
            yield codes[person], task, by_person[person]


def _of_evaluation(session: Session) -> dict[int, list[RepeatedAnswer]]:
    again = RepeatedPredictionRow
    first = select(PredictionRow.participant_id, PredictionRow.image_id, PredictionRow.class_id)
    second = select(again.participant_id, again.image_id, again.asking, again.class_id)
    asked = select(again.image_id).where(again.participant_id == PredictionRow.participant_id)
    answers = {
        (person, image): class_id
        for person, image, class_id in session.execute(
            first.where(
                PredictionRow.task == SessionTask.EVALUATE, PredictionRow.image_id.in_(asked)
            ).order_by(PredictionRow.revision)
        )
    }
    last = {
        (person, image, asking): _Answer(class_id, at)
        for person, image, asking, class_id, at in session.execute(
            second.add_columns(again.committed_at).order_by(again.revision)
        )
    }
    pairs: dict[int, list[RepeatedAnswer]] = defaultdict(list)
    for (person, image, _asking), answer in last.items():
        if (person, image) in answers:
            pairs[person].append(RepeatedAnswer(answers[person, image], answer.code, answer.at))
    return pairs


def _of_review(session: Session, stage: Stage) -> dict[int, list[RepeatedAnswer]]:
    """Return the blind verdicts on labels that were asked twice."""
    repeat, again, first = ReviewRepeatRow, RepeatedReviewRow, ReviewRow
    label = repeat.participant_id, repeat.image_id, repeat.class_id
    second = (
        select(*label, again.verdict, again.withdrawn, again.at)
        .join(again, again.repeat_id == repeat.id)
        .where(repeat.stage == stage)
        .order_by(again.revision)
    )
    blind = (
        select(*label, first.verdict, first.withdrawn, first.at)
        .join(
            first,
            (first.participant_id == repeat.participant_id)
            & (first.image_id == repeat.image_id)
            & (first.class_id == repeat.class_id)
            & (first.stage == repeat.stage),
        )
        .where(repeat.stage == stage, ~first.discussed)
        .order_by(first.revision)
    )
    verdicts, repeated = _last_verdicts(session, blind), _last_verdicts(session, second)
    pairs: dict[int, list[RepeatedAnswer]] = defaultdict(list)
    for key, answer in repeated.items():
        if key in verdicts:
            pairs[key[0]].append(RepeatedAnswer(verdicts[key].code, answer.code, answer.at))
    return pairs


def _last_verdicts(
    session: Session, query: Select[*tuple[Any, ...]]
) -> dict[tuple[int, int, int], _Answer]:
    """Return the last verdict of each person on each label, unless it was withdrawn."""
    last: dict[tuple[int, int, int], _Answer | None] = {}
    for person, image, label, verdict, withdrawn, at in session.execute(query):
        answer = None if withdrawn else _Answer(VERDICT_CODES[verdict], at or "")
        last[person, image, label] = answer
    return {key: answer for key, answer in last.items() if answer is not None}
