"""What one labeler answered while training, as arrays: the record behind every progress number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from labeler.core.training.request import TrainingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingAnswer:
    """The first answer to one training trial; classes are by index, the image by its number.

    What follows a first answer has seen the feedback, so it is no measure of what was known.
    """

    image: int
    target: int
    label: int
    right: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class TrainingSession:
    """One sitting at a training: when it began, and what the training was asked for."""

    started: datetime
    request: TrainingRequest | None


Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFilter:
    """A part of a record that a person points at; what isn't named doesn't narrow it."""

    day: int | None = None
    session: int | None = None
    since: int | None = None
    targets: frozenset[int] | None = None
    pair: tuple[int, int] | None = None
    only_missed: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrainingRecord:
    """A labeler's answers in the order in which they were given; days are ordinals of dates.

    `sessions` are numbered by anyone who knows them.
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
        """Where in the record the answers of the part are, in their order."""
        wanted = np.ones(len(self), dtype=bool)
        if part.day is not None:
            wanted &= self.days == part.day
        if part.session is not None:
            wanted &= self.sessions == part.session
        if part.since is not None:
            wanted &= self.days >= part.since
        if part.targets is not None:
            wanted &= np.isin(self.targets, np.fromiter(part.targets, dtype=np.int64))
        if part.pair is not None:
            wanted &= self._between(*part.pair)
        if part.only_missed:
            wanted &= ~self.right
        return np.flatnonzero(wanted)

    def _between(self, one: int, other: int) -> Flags:
        """Answers that took one of two classes for the other."""
        as_other = (self.targets == one) & (self.labels == other)
        as_one = (self.targets == other) & (self.labels == one)
        either: Flags = as_other | as_one
        return either


def local_date(moment: datetime) -> date:
    """The date of a moment where the person sits."""
    return moment.astimezone().date()


def build_training_record(
    answers: Sequence[TrainingAnswer],
    *,
    sessions: Sequence[int] | None = None,
    day: Callable[[datetime], date] = local_date,
) -> TrainingRecord:
    """The answers as arrays; `day` tells on which date a moment was.

    `sessions` number each answer's session; without them all were given in one.
    """
    return TrainingRecord(
        images=np.array([answer.image for answer in answers], dtype=np.int64),
        targets=np.array([answer.target for answer in answers], dtype=np.int64),
        labels=np.array([answer.label for answer in answers], dtype=np.int64),
        right=np.array([answer.right for answer in answers], dtype=bool),
        days=np.array([day(answer.at).toordinal() for answer in answers], dtype=np.int64),
        sessions=np.array(sessions or (0,) * len(answers), dtype=np.int64),
    )
