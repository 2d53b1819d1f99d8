"""A labeler's own answers before the lock, and the orders in which they can be looked through.

There is no order, filter or count by class: in a sample with as many images of each class, the
counts would reveal answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from math import ceil


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswer:
    """The labeler's last answer to a trial, which is known by its position in their order."""

    trial_id: str
    position: int
    label: str
    confidence: int | None = None
    active_ms: int | None = None
    escape_hatch: bool = False
    has_note: bool = False
    flagged: bool = False
    marked: bool = False
    changed: bool = False


class AnswerOrder(Enum):
    """How the answers are ordered; the value is what the labeler reads."""

    AS_ANSWERED = "As answered"
    LEAST_SURE = "Least sure"
    SLOWEST = "Slowest"
    MARKED = "Marked first"


class AnswerFilter(Enum):
    """Which answers are shown; the value is what the labeler reads."""

    ALL = "All answers"
    UNSURE = "Guess or unsure"
    SLOWEST = "Slowest tenth"
    MARKED = "Marked"
    FLAGGED = "Flagged"
    WITH_NOTE = "With a note"
    ESCAPE_HATCH = "Escape hatch"
    CHANGED = "Changed later"


_UNSURE_LEVELS = (1, 2)
_SLOWEST_PART = 10
# Answers without a confidence come after all others.
_UNKNOWN_CONFIDENCE = 99

_SORT_KEYS: dict[AnswerOrder, Callable[[OwnAnswer], tuple[int, ...]]] = {
    AnswerOrder.AS_ANSWERED: lambda answer: (answer.position,),
    AnswerOrder.LEAST_SURE: lambda answer: (
        answer.confidence or _UNKNOWN_CONFIDENCE,
        answer.position,
    ),
    AnswerOrder.SLOWEST: lambda answer: (-(answer.active_ms or 0), answer.position),
    AnswerOrder.MARKED: lambda answer: (not answer.marked, answer.position),
}
assert set(_SORT_KEYS) == set(AnswerOrder), "every order has a key"

_CONDITIONS: dict[AnswerFilter, Callable[[OwnAnswer], bool]] = {
    AnswerFilter.ALL: lambda _answer: True,
    AnswerFilter.UNSURE: lambda answer: answer.confidence in _UNSURE_LEVELS,
    # Which answers these are depends on the others.
    AnswerFilter.SLOWEST: lambda answer: answer.active_ms is not None,
    AnswerFilter.MARKED: lambda answer: answer.marked,
    AnswerFilter.FLAGGED: lambda answer: answer.flagged,
    AnswerFilter.WITH_NOTE: lambda answer: answer.has_note,
    AnswerFilter.ESCAPE_HATCH: lambda answer: answer.escape_hatch,
    AnswerFilter.CHANGED: lambda answer: answer.changed,
}
assert set(_CONDITIONS) == set(AnswerFilter), "every filter has a condition"


def arranged(
    answers: Iterable[OwnAnswer], *, shown: AnswerFilter, order: AnswerOrder
) -> tuple[OwnAnswer, ...]:
    """Return the shown answers in this order; ties keep the order of answering."""
    return tuple(sorted(_filtered(answers, shown), key=_SORT_KEYS[order]))


def count_shown(answers: Iterable[OwnAnswer], shown: AnswerFilter) -> int:
    return len(_filtered(answers, shown))


def _filtered(answers: Iterable[OwnAnswer], shown: AnswerFilter) -> list[OwnAnswer]:
    found = list(filter(_CONDITIONS[shown], answers))
    if shown is not AnswerFilter.SLOWEST:
        return found
    slowest = sorted(found, key=_SORT_KEYS[AnswerOrder.SLOWEST])
    return slowest[: ceil(len(slowest) / _SLOWEST_PART)]
