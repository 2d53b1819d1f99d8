"""A labeler's training answers as arrays: the data of every progress number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from labeler.core.training.answers import TrainingAnswer

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFilter:
    """Selects a part of a record; None means no restriction."""

    day: int | None = None
    session: int | None = None
    since: int | None = None
    targets: frozenset[int] | None = None
    pair: tuple[int, int] | None = None
    only_missed: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrainingRecord:
    """A labeler's answers in order; days are date ordinals.

    `sessions` are numbers assigned by the caller.
    """

    images: Numbers
    targets: Numbers
    labels: Numbers
    right: Flags
    days: Numbers
    sessions: Numbers

    def __len__(self) -> int:
        return len(self.images)

    def positions(self, part: TrainingFilter) -> Numbers:
        """Return the positions of the selected answers, in order."""
        selected = np.ones(len(self), dtype=bool)
        if part.day is not None:
            selected &= self.days == part.day
        if part.session is not None:
            selected &= self.sessions == part.session
        if part.since is not None:
            selected &= self.days >= part.since
        if part.targets is not None:
            selected &= np.isin(self.targets, np.fromiter(part.targets, dtype=np.int64))
        if part.pair is not None:
            selected &= self._between(*part.pair)
        if part.only_missed:
            selected &= ~self.right
        return np.flatnonzero(selected)

    def _between(self, one: int, other: int) -> Flags:
        """Return the answers that confused the two classes."""
        as_other = (self.targets == one) & (self.labels == other)
        as_one = (self.targets == other) & (self.labels == one)
        either: Flags = as_other | as_one
        return either


def local_date(moment: datetime) -> date:
    """Return the local date of a moment."""
    return moment.astimezone().date()


def build_training_record(
    answers: Sequence[TrainingAnswer],
    *,
    sessions: Sequence[int] | None = None,
    day: Callable[[datetime], date] = local_date,
) -> TrainingRecord:
    """Convert answers to arrays; `day` converts a moment to a date.

    `sessions` are the session numbers of the answers; by default all are in one session.
    """
    return TrainingRecord(
        images=np.array([answer.image for answer in answers], dtype=np.int64),
        targets=np.array([answer.target for answer in answers], dtype=np.int64),
        labels=np.array([answer.label for answer in answers], dtype=np.int64),
        right=np.array([answer.right for answer in answers], dtype=bool),
        days=np.array([day(answer.at).toordinal() for answer in answers], dtype=np.int64),
        sessions=np.array(sessions or (0,) * len(answers), dtype=np.int64),
    )
