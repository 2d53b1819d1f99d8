"""A labeler's progress in numbers: by day, by family, by class, and by confused pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeler.core.training.answer_record import (
    Numbers,
    TrainingAnswer,
    TrainingRecord,
    TrainingSession,
)

Shares = NDArray[np.float64]

# So many answers make a share that moves by skill rather than by luck.
MOVING_WINDOW = 50
WEEK = 7


@dataclass(frozen=True, slots=True)
class TrainingScore:
    """How many answers were given and how many of them were right."""

    answered: int = 0
    right: int = 0

    @property
    def missed(self) -> int:
        return self.answered - self.right

    @property
    def share(self) -> float | None:
        """The part that was right; nothing where there is no answer."""
        return self.right / self.answered if self.answered else None


@dataclass(frozen=True, slots=True)
class DayScore:
    """One day's answers, and the share right of the last answers at its end."""

    day: int
    score: TrainingScore
    moving: float


@dataclass(frozen=True, slots=True)
class ClassScores:
    """A class by index: all answers, and those of the last week."""

    index: int
    score: TrainingScore
    lately: TrainingScore


@dataclass(frozen=True, slots=True)
class ClassSetScores:
    """A set of classes: all answers, those of the last week, and how many classes were met."""

    score: TrainingScore
    lately: TrainingScore
    met: int


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """Two classes by index, the smaller first, and how often each was taken for the other.

    `shown` counts the images of either class, and `last_day` is the last mistake's.
    """

    one: int
    other: int
    one_as_other: int
    other_as_one: int
    shown: int
    last_day: int

    @property
    def times(self) -> int:
        return self.one_as_other + self.other_as_one


def week_start(today: int) -> int:
    """The first day of the week that ends today."""
    return today - WEEK + 1


def overall_score(record: TrainingRecord, *, since: int | None = None) -> TrainingScore:
    """All answers, or those from a day on."""
    wanted = record.days >= since if since is not None else np.ones(len(record), dtype=bool)
    return TrainingScore(int(wanted.sum()), int((wanted & record.right).sum()))


def moving_share(record: TrainingRecord, window: int = MOVING_WINDOW) -> Shares:
    """After each answer, the share right of the last `window`; at first of as many as there are."""
    summed = np.concatenate([[0], np.cumsum(record.right)])
    ends = np.arange(1, len(record) + 1)
    starts = np.maximum(ends - window, 0)
    shares: Shares = (summed[ends] - summed[starts]) / (ends - starts)
    return shares


def scores_by_day(record: TrainingRecord) -> tuple[DayScore, ...]:
    """The days on which there were answers, oldest first."""
    return tuple(DayScore(*scores) for scores in group_scores(record, record.days))


def group_scores(
    record: TrainingRecord, groups: Numbers
) -> Iterator[tuple[int, TrainingScore, float]]:
    """By each answer's group, in rising order: its score, and the moving share at its end."""
    if not len(record):
        return
    found, places = np.unique(groups, return_inverse=True)
    answered = np.bincount(places)
    right = np.bincount(places, weights=record.right)
    # A clock that was set back mixes groups; the last answer of each still ends it.
    last = np.zeros(len(found), dtype=np.int64)
    np.maximum.at(last, places, np.arange(len(record)))
    moving = moving_share(record)[last]
    for group, n, k, share in zip(found, answered, right, moving, strict=True):
        yield int(group), TrainingScore(int(n), int(k)), float(share)


def scores_by_class(record: TrainingRecord, *, classes: int, today: int) -> tuple[ClassScores, ...]:
    """Every class of the taxonomy, met or not, in the order of indices."""
    counts = _counts(record, classes=classes, today=today)
    return tuple(
        ClassScores(index, TrainingScore(*map(int, row[:2])), TrainingScore(*map(int, row[2:])))
        for index, row in enumerate(counts)
    )


def scores_by_class_set(
    record: TrainingRecord, sets: Sequence[Sequence[int]], *, classes: int, today: int
) -> tuple[ClassSetScores, ...]:
    """Each set of class indices; a class may stand in several sets."""
    if not sets:
        return ()
    counts = _counts(record, classes=classes, today=today)
    members = np.zeros((len(sets), classes), dtype=np.int64)
    for row, indices in enumerate(sets):
        members[row, list(indices)] = 1
    summed = members @ counts
    met = members @ (counts[:, 0] > 0).astype(np.int64)
    return tuple(
        ClassSetScores(
            TrainingScore(*map(int, row[:2])), TrainingScore(*map(int, row[2:])), int(known)
        )
        for row, known in zip(summed, met, strict=True)
    )


def _counts(record: TrainingRecord, *, classes: int, today: int) -> Numbers:
    """By target: answered, right, and the same of the last week."""
    lately = record.days >= week_start(today)
    columns = (np.ones(len(record)), record.right, lately, lately & record.right)
    counted = [np.bincount(record.targets, weights=c, minlength=classes) for c in columns]
    return np.stack(counted, axis=1).astype(np.int64)


def confused_pairs(record: TrainingRecord) -> tuple[ConfusedPair, ...]:
    """The pairs that were confused, most often first, then those confused last."""
    missed = np.flatnonzero(~record.right)
    if not len(missed):
        return ()
    targets, labels = record.targets[missed], record.labels[missed]
    ends = np.stack([np.minimum(targets, labels), np.maximum(targets, labels)], axis=1)
    pairs, places = np.unique(ends, axis=0, return_inverse=True)
    places = places.reshape(-1)
    forward = np.bincount(places, weights=targets < labels, minlength=len(pairs)).astype(int)
    backward = np.bincount(places, minlength=len(pairs)) - forward
    last = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(last, places, record.days[missed])
    shown = _shown(record, pairs)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -last, -(forward + backward)))
    return tuple(
        ConfusedPair(
            one=int(pairs[place, 0]),
            other=int(pairs[place, 1]),
            one_as_other=int(forward[place]),
            other_as_one=int(backward[place]),
            shown=int(shown[place]),
            last_day=int(last[place]),
        )
        for place in order
    )


def _shown(record: TrainingRecord, pairs: Numbers) -> Numbers:
    """How many images of either class of each pair were answered."""
    by_target = np.bincount(record.targets, minlength=int(pairs.max()) + 1)
    return np.asarray(by_target[pairs[:, 0]] + by_target[pairs[:, 1]], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class SessionScore:
    """A session by its number, with its answers and the share right of the last at its end."""

    number: int
    session: TrainingSession
    score: TrainingScore
    moving: float


def session_numbers(
    answers: Sequence[TrainingAnswer], sessions: Sequence[TrainingSession]
) -> tuple[int, ...]:
    """By answer, the number of the session in which it was given: the last one begun by then.

    `sessions` are ordered by their beginnings. An answer from before the first counts with it.
    """
    starts = np.array([session.started.timestamp() for session in sessions])
    moments = np.array([answer.at.timestamp() for answer in answers])
    places: Numbers = np.searchsorted(starts, moments, side="right") - 1
    return tuple(np.maximum(places, 0).tolist())


def scores_by_session(
    record: TrainingRecord, sessions: Sequence[TrainingSession]
) -> tuple[SessionScore, ...]:
    """The sessions with answers, oldest first."""
    if not sessions:
        return ()
    return tuple(
        SessionScore(number, sessions[number], score, moving)
        for number, score, moving in group_scores(record, record.sessions)
    )
