"""Accuracies of all participants on all subsets, counted with packed bits."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.answer_marks import Marks
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.image_facts import DatasetImageFacts
from labeler.core.statistics.arrays import Counts, Flags, Reals
from labeler.core.statistics.packed_flags import common_counts
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.study.entities import ParticipantKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """An accuracy with its interval.

    With a per-class convention, `correct` and `total` still count all images.
    """

    participant: str
    kind: ParticipantKind
    dataset: str
    subset: str
    metric: Metric
    convention: Convention = Convention.POOLED
    correct: int
    total: int
    accuracy: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AccuracyTable:
    """One metric with one convention on one dataset: participants in rows, subsets in columns."""

    participants: tuple[str, ...]
    humans: int
    subsets: tuple[str, ...]
    dataset: str
    metric: Metric
    convention: Convention
    correct: Counts
    total: Counts
    share: Reals
    low: Reals
    high: Reals

    def rows(self) -> Iterator[Accuracy]:
        """Yield a row for each cell that has images."""
        values = (self.correct, self.total, self.share, self.low, self.high)
        people, columns = np.nonzero(self.total)
        cells = zip(*(value[people, columns].tolist() for value in values), strict=True)
        positions = zip(people.tolist(), columns.tolist(), strict=True)
        for (person, subset), (correct, total, share, low, high) in zip(
            positions, cells, strict=True
        ):
            yield Accuracy(
                participant=self.participants[person],
                kind=ParticipantKind.HUMAN if person < self.humans else ParticipantKind.MODEL,
                dataset=self.dataset,
                subset=self.subsets[subset],
                metric=self.metric,
                convention=self.convention,
                correct=correct,
                total=total,
                accuracy=share,
                ci_low=low,
                ci_high=high,
            )


def in_denominator(marks: Marks, facts: DatasetImageFacts, metric: Metric) -> Flags:
    """Return which answers are in the metric's denominator, before any subset."""
    answered = marks.answered & marks.has(metric)[:, None]
    return answered & facts.judged if metric.needs_labels else answered


def subset_counts(right: Flags, counts: Flags, members: Flags) -> tuple[Counts, Counts]:
    """Return the number of correct answers and of all answers, by participant and subset."""
    return common_counts(right & counts, members), common_counts(counts, members)


def accuracy_table(
    *,
    participants: tuple[str, ...],
    humans: int,
    subsets: tuple[str, ...],
    dataset: str,
    metric: Metric,
    convention: Convention,
    correct: Counts,
    total: Counts,
) -> AccuracyTable:
    """Return pooled accuracies with exact intervals; NaN where there are no answers."""
    with np.errstate(invalid="ignore"):
        share = correct / total
    interval = clopper_pearson(correct, np.maximum(total, 1))
    return AccuracyTable(
        participants=participants,
        humans=humans,
        subsets=subsets,
        dataset=dataset,
        metric=metric,
        convention=convention,
        correct=correct,
        total=total,
        share=share,
        low=interval.low,
        high=interval.high,
    )
