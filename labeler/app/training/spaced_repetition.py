"""When missed classes are due again: FSRS cards, rebuilt from the stored answers.

A class gets a card when it is first missed; every later answer to one of its images is a review
of the card. Cards aren't stored, so they can't contradict the answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from fsrs import Card, Rating, Scheduler

from labeler.core.training.answers import TrainingAnswer

# The training itself repeats missed classes, so one short learning step is enough.
_SHORT_STEPS = (timedelta(minutes=10),)
_LONGEST_DAYS = 365
_SCHEDULER = Scheduler(
    learning_steps=_SHORT_STEPS,
    relearning_steps=_SHORT_STEPS,
    maximum_interval=_LONGEST_DAYS,
    # Without fuzzing, the same answers always give the same cards.
    enable_fuzzing=False,
)


@dataclass(frozen=True, slots=True)
class Repetition:
    """A class that was missed, by index, and when it is due again."""

    target: int
    due: datetime


def repetitions(answers: Iterable[TrainingAnswer]) -> dict[int, Repetition]:
    """Return the repetition of each class that was ever missed, from answers in order."""
    cards: dict[int, Card] = {}
    for answer in answers:
        if answer.right and answer.target not in cards:
            continue
        card = cards.get(answer.target) or Card(card_id=answer.target, due=answer.at)
        rating = Rating.Good if answer.right else Rating.Again
        cards[answer.target], _log = _SCHEDULER.review_card(card, rating, answer.at)
    return {target: Repetition(target, card.due) for target, card in cards.items()}


def due_by(repetitions: Mapping[int, Repetition], moment: datetime) -> list[int]:
    """Return the classes due at that moment, by index, the longest overdue first."""
    due = [each for each in repetitions.values() if each.due <= moment]
    return [each.target for each in sorted(due, key=lambda each: (each.due, each.target))]


def due_wnids(
    answers: Iterable[TrainingAnswer], *, by: datetime, class_wnids: Sequence[str]
) -> list[str]:
    """Return the classes due by that moment, by wnid, the longest overdue first."""
    return [class_wnids[index] for index in due_by(repetitions(answers), by)]


def end_of_day(now: datetime) -> datetime:
    """Return the end of the local day."""
    local = now.astimezone()
    return local.replace(hour=23, minute=59, second=59, microsecond=999_999)
