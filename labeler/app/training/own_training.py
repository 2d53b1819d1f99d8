"""How far a labeler is with training, in the few numbers that home has room for."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from labeler.core.training.training_answer import TrainingAnswer
from labeler.store.study_store import Transaction

_LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTraining:
    """What the labeler answered in all and within a week, what is due today, what waits."""

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
    # Nobody who hasn't missed anything waits for the scheduler's import.
    from labeler.app.training.spaced_repetition import due_by, end_of_day, repetitions

    return len(due_by(repetitions(answers), end_of_day(now)))
