"""Statistics by class: the class-resampling test, and accuracies averaged per class."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.definitions import Convention, HumanAggregate, Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.subsets import Subset
from labeler.core.statistics.arrays import Counts, Flags
from labeler.core.statistics.class_resampling import (
    ClassCounts,
    ClassResamplingResult,
    class_average,
    class_resampling,
    mean_resampling,
)
from labeler.core.statistics.random_draws import RandomKeys, generator, random_keys
from labeler.core.study.entities import ParticipantKind

TRIALS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassResampling:
    """The change of a subset against all images, and how many random draws changed as much.

    `p_value` is one-sided, in the direction of the change; `p_value_two_sided` is the corrected
    test, from the trials at or below and at or above the subset's accuracy.
    """

    participant: str
    dataset: str
    subset: str
    metric: Metric
    classes: int
    trials: int
    change: float
    trials_at_least_as_large: int
    p_value: float
    trials_at_or_below: int
    trials_at_or_above: int
    p_value_two_sided: float


def class_resamplings(
    scored: ScoredDataset, metric: Metric, *, seed: int, trials: int = TRIALS
) -> Iterator[ClassResampling]:
    """Yield the test of every participant, and of the humans' mean, on every subset of classes."""
    counts = scored.by_class(metric, scored.members_of())
    for rows, present in _same_classes(counts.total > 0):
        random = generator(seed, f"classes of {scored.name}")
        test = _ResamplingTest(
            scored=scored,
            metric=metric,
            rows=rows,
            present=present,
            counts=ClassCounts(counts.correct[rows][:, present], counts.total[rows][:, present]),
            humans_alike=_humans_alike(counts.total > 0, scored.marks.humans),
            lots=random_keys(random, of=int(np.count_nonzero(present)), times=trials),
        )
        yield from test.results()


def class_averages(
    scored: ScoredDataset, metric: Metric, convention: Convention, *, seed: int
) -> Iterator[Accuracy]:
    """Yield accuracies averaged per class, with intervals, on every subset except superclasses."""
    for subset, members in zip(scored.subsets, scored.members, strict=True):
        if subset.is_superclass:
            continue
        counts = scored.by_class(metric, members, convention)
        for rows, present in _same_classes(counts.total > 0):
            of_rows = ClassCounts(counts.correct[rows][:, present], counts.total[rows][:, present])
            averages = class_average(of_rows, seed=seed)
            for position, row in enumerate(rows.tolist()):
                human = row < scored.marks.humans
                yield Accuracy(
                    participant=scored.study.participants[row],
                    kind=ParticipantKind.HUMAN if human else ParticipantKind.MODEL,
                    dataset=scored.name,
                    subset=subset.key,
                    metric=metric,
                    convention=convention,
                    correct=int(of_rows.correct[position].sum()),
                    total=int(of_rows.total[position].sum()),
                    accuracy=float(averages.mean[position]),
                    ci_low=float(averages.low[position]),
                    ci_high=float(averages.high[position]),
                )


def _same_classes(present: Flags) -> Iterator[tuple[Counts, Flags]]:
    """Yield the participants with answers in the same classes, together with those classes."""
    alike: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(present):
        if pattern.any():
            alike.setdefault(pattern.tobytes(), []).append(row)
    for rows in alike.values():
        yield np.array(rows), present[rows[0]]


def humans_differ_in_classes(scored: ScoredDataset) -> bool:
    """Return whether at least two humans answered, but in different classes."""
    present = scored.by_class(Metric.TOP1, scored.members_of()).total > 0
    people = int(present[: scored.marks.humans].any(axis=1).sum())
    return people > 1 and not _humans_alike(present, scored.marks.humans)


def _humans_alike(present: Flags, humans: int) -> bool:
    """Return whether at least two humans answered, all in the same classes."""
    answering = present[:humans][present[:humans].any(axis=1)]
    return len(answering) > 1 and bool((answering == answering[0]).all())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _ResamplingTest:
    """The test for participants who answered images of the same classes."""

    scored: ScoredDataset
    metric: Metric
    rows: Counts
    present: Flags
    counts: ClassCounts
    humans_alike: bool
    lots: RandomKeys

    def results(self) -> Iterator[ClassResampling]:
        for subset in self.scored.subsets:
            if subset.classes is not None and subset.tested:
                inside = subset.classes[self.present]
                if inside.any():
                    yield from self._on(subset, inside)

    def _on(self, subset: Subset, inside: Flags) -> Iterator[ClassResampling]:
        names = [self.scored.study.participants[row] for row in self.rows]
        found = class_resampling(self.counts, inside, self.lots)
        yield from self._results(subset, inside, names, found)
        humans = self.rows < self.scored.marks.humans
        if self.humans_alike and humans.any():
            of_humans = ClassCounts(self.counts.correct[humans], self.counts.total[humans])
            mean = mean_resampling(of_humans, inside, self.lots)
            yield from self._results(subset, inside, [str(HumanAggregate.MEAN)], mean)

    def _results(
        self, subset: Subset, inside: Flags, names: list[str], found: ClassResamplingResult
    ) -> Iterator[ClassResampling]:
        for position, name in enumerate(names):
            yield ClassResampling(
                participant=name,
                dataset=self.scored.name,
                subset=subset.key,
                metric=self.metric,
                classes=int(np.count_nonzero(inside)),
                trials=found.trials,
                change=float(found.change[position]),
                trials_at_least_as_large=int(found.at_least_as_large[position]),
                p_value=float(found.p_values[position]),
                trials_at_or_below=int(found.at_or_below[position]),
                trials_at_or_above=int(found.at_or_above[position]),
                p_value_two_sided=float(found.p_values_two_sided[position]),
            )
