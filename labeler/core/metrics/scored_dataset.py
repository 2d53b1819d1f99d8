"""A dataset with every answer marked, from which all other numbers are computed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labeler.core.metrics.accuracy import (
    AccuracyTable,
    accuracy_table,
    in_denominator,
    subset_counts,
)
from labeler.core.metrics.answer_marks import Marks, mark_answers
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.image_facts import DatasetImageFacts, image_facts
from labeler.core.metrics.study_answers import DatasetAnswers, StudyAnswers
from labeler.core.metrics.subsets import ALL, Subset, subset_membership
from labeler.core.statistics.arrays import Counts, Flags
from labeler.core.statistics.class_resampling import ClassCounts


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredDataset:
    """A dataset over its base or over all its images; `members` has one row per subset."""

    study: StudyAnswers
    dataset: DatasetAnswers
    facts: DatasetImageFacts
    marks: Marks
    subsets: tuple[Subset, ...]
    members: Flags

    @property
    def name(self) -> str:
        return self.dataset.name

    @cached_property
    def subset_keys(self) -> tuple[str, ...]:
        return tuple(subset.key for subset in self.subsets)

    def members_of(self, key: str = ALL) -> Flags:
        return np.asarray(self.members[self.subset_keys.index(key)])

    def right(self, metric: Metric, convention: Convention = Convention.POOLED) -> Flags:
        return self.marks.correct(metric, unclear_counts=convention.accepts_unclear)

    def counted(self, metric: Metric) -> Flags:
        """Return which answers the metric counts, regardless of subset."""
        return in_denominator(self.marks, self.facts, metric)

    def table(self, metric: Metric, convention: Convention = Convention.POOLED) -> AccuracyTable:
        """Return the pooled accuracies on every subset."""
        correct, total = subset_counts(
            self.right(metric, convention), self.counted(metric), self.members
        )
        return accuracy_table(
            participants=self.study.participants,
            humans=self.marks.humans,
            subsets=self.subset_keys,
            dataset=self.name,
            metric=metric,
            convention=convention,
            correct=correct,
            total=total,
        )

    def by_class(
        self, metric: Metric, members: Flags, convention: Convention = Convention.POOLED
    ) -> ClassCounts:
        """Return the correct answers and all answers of each participant, by target."""
        counts = self.counted(metric) & members
        right = self.right(metric, convention) & counts
        return ClassCounts(self._by_target(right), self._by_target(counts))

    def _by_target(self, flags: Flags) -> Counts:
        # Row by row: one large operation would block other threads.
        targets, classes = self.dataset.targets, len(self.study.wnids)
        rows = [np.bincount(targets[row], minlength=classes) for row in flags]
        return np.array(rows, np.int64).reshape(len(flags), classes)


def score_dataset(
    study: StudyAnswers,
    dataset: DatasetAnswers,
    subsets: tuple[Subset, ...],
    *,
    fast_seconds: float,
    marks: Marks | None = None,
    everything: bool = False,
) -> ScoredDataset:
    """Mark the answers of the dataset; existing `marks` are reused."""
    facts = image_facts(dataset, everything=everything)
    return ScoredDataset(
        study=study,
        dataset=dataset,
        facts=facts,
        marks=marks or mark_answers(dataset, with_ranks=study.with_ranks),
        subsets=subsets,
        members=subset_membership(subsets, dataset, facts, fast_seconds=fast_seconds),
    )
