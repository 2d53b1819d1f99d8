"""Gaps between the original and the new dataset, and changes of rank."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.accuracy import AccuracyTable
from labeler.core.metrics.definitions import Metric
from labeler.core.statistics.arrays import Counts, Reals
from labeler.core.study.entities import ParticipantKind


def ranks(values: Reals) -> Counts:
    """Return ranks, 1 for the largest value; ties share the lowest rank of the tie."""
    ordered = np.sort(values)
    return len(values) - np.searchsorted(ordered, values, side="right") + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Accuracies on both datasets; gap is original − new, ranks are within a kind."""

    participant: str
    kind: ParticipantKind
    subset: str
    metric: Metric
    dataset_original: str
    dataset_new: str
    original: float
    new: float
    gap: float
    rank_original: int
    rank_new: int
    rank_change: int


def gaps(original: AccuracyTable, new: AccuracyTable) -> Iterator[Gap]:
    """Yield the gaps of everyone with both accuracies; only they are ranked."""
    for column in range(len(original.subsets)):
        both = np.flatnonzero((original.total[:, column] > 0) & (new.total[:, column] > 0))
        for kind, rows in (
            (ParticipantKind.HUMAN, both[both < original.humans]),
            (ParticipantKind.MODEL, both[both >= original.humans]),
        ):
            yield from _Ranked(original, new, column, kind).of(rows)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The participants of a kind on one subset."""

    original: AccuracyTable
    new: AccuracyTable
    column: int
    kind: ParticipantKind

    def of(self, rows: Counts) -> Iterator[Gap]:
        before, after = (t.share[rows, self.column] for t in (self.original, self.new))
        columns = (rows, before, after, ranks(before), ranks(after))
        for row, first, second, rank, rank_new in zip(*(c.tolist() for c in columns), strict=True):
            yield Gap(
                participant=self.original.participants[row],
                kind=self.kind,
                subset=self.original.subsets[self.column],
                metric=self.original.metric,
                dataset_original=self.original.dataset,
                dataset_new=self.new.dataset,
                original=first,
                new=second,
                gap=first - second,
                rank_original=rank,
                rank_new=rank_new,
                rank_change=rank - rank_new,
            )
