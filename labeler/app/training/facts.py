"""The data of the training start page, read from the study."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from labeler.app.training.selection import TrainingMaterial, read_training_material
from labeler.app.training.spaced_repetition import due_by, end_of_day, repetitions
from labeler.core.training.answers import TrainingAnswer
from labeler.core.training.request import TrainingRequest
from labeler.store.study_store import StudyStore, Transaction

_LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTraining:
    """Answers in total and within a week, classes due today, and the unfinished training."""

    answered: int
    answered_lately: int
    right_lately: int
    due: int
    waits: bool


def own_training(study: Transaction, code: str, *, now: datetime) -> OwnTraining:
    answers = study.training_record.answers(code)
    lately = [answer for answer in answers if answer.at >= now - _LATELY]
    return OwnTraining(
        answered=len(answers),
        answered_lately=len(lately),
        right_lately=sum(answer.right for answer in lately),
        due=_due(answers, now),
        waits=study.training.current(code) is not None,
    )


def _due(answers: list[TrainingAnswer], now: datetime) -> int:
    if all(answer.right for answer in answers):
        return 0
    return len(due_by(repetitions(answers), end_of_day(now)))


@dataclass(frozen=True, slots=True)
class UnfinishedTraining:
    """A training that can be resumed."""

    request: TrainingRequest
    done: int
    total: int

    @property
    def waits(self) -> bool:
        """Whether an image is still unanswered."""
        return self.done < self.total


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """What can be trained on, and the unfinished training."""

    material: TrainingMaterial
    open: UnfinishedTraining | None


def training_facts(
    store: StudyStore, participant: str, *, guide_pairs: frozenset[tuple[str, str]]
) -> TrainingFacts:
    """Return what the page shows; refused if training isn't open to this person."""
    with store.read() as study:
        study.training.require_open(participant)
        material = read_training_material(
            study,
            participant,
            taxonomy=store.taxonomy,
            guide_pairs=guide_pairs,
            now=store.clock.utc(),
        )
        return TrainingFacts(material, open_training(study, participant))


def open_training(study: Transaction, participant: str) -> UnfinishedTraining | None:
    """Return the labeler's unfinished training, or None."""
    found = study.training.current(participant)
    if found is None:
        return None
    trials = study.training.trials(found.training_id)
    done = sum(not trial.waits for trial in trials)
    return UnfinishedTraining(found.request, done, len(trials))


def unfinished_training(store: StudyStore, code: str) -> UnfinishedTraining | None:
    """Return the person's unfinished training with trials left, or None."""
    with store.read() as study:
        found = open_training(study, code)
    return found if found is not None and found.waits else None
