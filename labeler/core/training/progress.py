"""A labeler's progress: by day, family, class, and confused pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeler.core.training.answer_record import Numbers, TrainingRecord
from labeler.core.training.answers import TrainingAnswer, TrainingSession

Shares = NDArray[np.float64]

# With this many answers, the share changes by skill rather than by chance.
MOVING_WINDOW = 50
WEEK = 7


@dataclass(frozen=True, slots=True)
class TrainingScore:
    """How many answers were given, and how many were right."""

    answered: int = 0
    right: int = 0

    @property
    def missed(self) -> int:
        return self.answered - self.right

    @property
    def share(self) -> float | None:
        """The share of right answers; None without answers."""
        return self.right / self.answered if self.answered else None


@dataclass(frozen=True, slots=True)
class DayScore:
    """The answers of one day, and the moving share at its end."""

    day: int
    score: TrainingScore
    moving: float


@dataclass(frozen=True, slots=True)
class ClassScores:
    """The scores of a class, by index: of all answers, and of the last week."""

    index: int
    score: TrainingScore
    lately: TrainingScore


@dataclass(frozen=True, slots=True)
class ClassSetScores:
    """The scores of a set of classes; `met` counts the classes that were seen."""

    score: TrainingScore
    lately: TrainingScore
    met: int


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """Two classes by index, the smaller first, and how often each was mistaken for the other.

    `shown` counts the images of either class; `last_day` is the day of the last mistake.
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
    """Return the first day of the week that ends today."""
    return today - WEEK + 1


def overall_score(record: TrainingRecord, *, since: int | None = None) -> TrainingScore:
    """Return the score of all answers, or of those since a day."""
    selected = record.days >= since if since is not None else np.ones(len(record), dtype=bool)
    return TrainingScore(int(selected.sum()), int((selected & record.right).sum()))


def moving_share(record: TrainingRecord, window: int = MOVING_WINDOW) -> Shares:
    """Return, after each answer, the share of right answers among the last `window` or fewer."""
    summed = np.concatenate([[0], np.cumsum(record.right)])
    ends = np.arange(1, len(record) + 1)
    starts = np.maximum(ends - window, 0)
    shares: Shares = (summed[ends] - summed[starts]) / (ends - starts)
    return shares


def scores_by_day(record: TrainingRecord) -> tuple[DayScore, ...]:
    """Return the days with answers, oldest first."""
    return tuple(DayScore(*scores) for scores in group_scores(record, record.days))


def group_scores(
    record: TrainingRecord, groups: Numbers
) -> Iterator[tuple[int, TrainingScore, float]]:
    """Yield each group in ascending order with its score and the moving share at its end."""
    if not len(record):
        return
    found, group_of = np.unique(groups, return_inverse=True)
    answered = np.bincount(group_of)
    right = np.bincount(group_of, weights=record.right)
    # Groups are mixed if the clock was set back; each still ends with its last answer.
    last = np.zeros(len(found), dtype=np.int64)
    np.maximum.at(last, group_of, np.arange(len(record)))
    moving = moving_share(record)[last]
    for group, n, k, share in zip(found, answered, right, moving, strict=True):
        yield int(group), TrainingScore(int(n), int(k)), float(share)


def scores_by_class(record: TrainingRecord, *, classes: int, today: int) -> tuple[ClassScores, ...]:
    """Return the scores of every class of the taxonomy, seen or not, in class order."""
    counts = _counts(record, classes=classes, today=today)
    return tuple(
        ClassScores(index, TrainingScore(*map(int, row[:2])), TrainingScore(*map(int, row[2:])))
        for index, row in enumerate(counts)
    )


def scores_by_class_set(
    record: TrainingRecord, sets: Sequence[Sequence[int]], *, classes: int, today: int
) -> tuple[ClassSetScores, ...]:
    """Return the scores of each set of class indices; a class may be in several sets."""
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
    """Return by target: answered, right, and the same for the last week."""
    lately = record.days >= week_start(today)
    columns = (np.ones(len(record)), record.right, lately, lately & record.right)
    counted = [np.bincount(record.targets, weights=c, minlength=classes) for c in columns]
    return np.stack(counted, axis=1).astype(np.int64)


def confused_pairs(record: TrainingRecord) -> tuple[ConfusedPair, ...]:
    """Return the confused pairs, most often first, then most recent first."""
    missed = np.flatnonzero(~record.right)
    if not len(missed):
        return ()
    targets, labels = record.targets[missed], record.labels[missed]
    ends = np.stack([np.minimum(targets, labels), np.maximum(targets, labels)], axis=1)
    pairs, pair_of = np.unique(ends, axis=0, return_inverse=True)
    pair_of = pair_of.reshape(-1)
    forward = np.bincount(pair_of, weights=targets < labels, minlength=len(pairs)).astype(int)
    backward = np.bincount(pair_of, minlength=len(pairs)) - forward
    last = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(last, pair_of, record.days[missed])
    shown = _shown(record, pairs)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -last, -(forward + backward)))
    return tuple(
        ConfusedPair(
            one=int(pairs[number, 0]),
            other=int(pairs[number, 1]),
            one_as_other=int(forward[number]),
            other_as_one=int(backward[number]),
            shown=int(shown[number]),
            last_day=int(last[number]),
        )
        for number in order
    )


def _shown(record: TrainingRecord, pairs: Numbers) -> Numbers:
    """Return how many images of either class of each pair were answered."""
    by_target = np.bincount(record.targets, minlength=int(pairs.max()) + 1)
    return np.asarray(by_target[pairs[:, 0]] + by_target[pairs[:, 1]], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class SessionScore:
    """A session by number, with its score and the moving share at its end."""

    number: int
    session: TrainingSession
    score: TrainingScore
    moving: float


def session_numbers(
    answers: Sequence[TrainingAnswer], sessions: Sequence[TrainingSession]
) -> tuple[int, ...]:
    """Return, for each answer, the number of its session: the last one that had started.

    `sessions` are ordered by start. Answers before the first session belong to the first.
    """
    starts = np.array([session.started.timestamp() for session in sessions])
    moments = np.array([answer.at.timestamp() for answer in answers])
    numbers: Numbers = np.searchsorted(starts, moments, side="right") - 1
    return tuple(np.maximum(numbers, 0).tolist())


def scores_by_session(
    record: TrainingRecord, sessions: Sequence[TrainingSession]
) -> tuple[SessionScore, ...]:
    """Return the sessions with answers, oldest first."""
    if not sessions:
        return ()
    return tuple(
        SessionScore(number, sessions[number], score, moving)
        for number, score, moving in group_scores(record, record.sessions)
    )
