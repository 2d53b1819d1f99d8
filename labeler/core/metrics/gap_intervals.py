"""Gaps with intervals and tests: participants, groups, and humans against models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Counts, Reals
from labeler.core.statistics.gap_bootstrap import (
    GAP_RESAMPLES,
    AnswerCounts,
    GapEstimate,
    GapResampler,
    ResampledGaps,
    resampling_units,
)
from labeler.core.statistics.multiple_tests import permutation_p
from labeler.core.study.entities import ParticipantKind

# Subsets whose gaps are resampled too, by the metrics of the comparison.
SUBSETS_WITH_GAPS = ("without_dogs", "dogs", "organisms", "animals_without_dogs", "objects")
_COMPARED = (Metric.TOP1, Metric.MULTI_LABEL)


class GapGroup(StrEnum):
    """What a row about groups estimates."""

    HUMANS = "humans"
    MODELS = "models"
    DIFFERENCE = "humans_minus_models"


class ResampledUnit(StrEnum):
    """What the bootstrap draws; classes are drawn jointly for both datasets."""

    CLASSES = "classes"
    IMAGES = "images"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapInterval:
    """A participant's gap, original − new, with its interval and the test that it is zero."""

    participant: str
    kind: ParticipantKind
    subset: str
    metric: Metric
    gap: float
    ci_low: float
    ci_high: float
    standard_error: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GapGroupRow:
    """The mean gap of the humans or of the models, or the first minus the second.

    `p_value_participants` tests the difference by permuting participants instead of resampling
    images; it is None for a single group.
    """

    group: GapGroup
    subset: str
    metric: Metric
    humans: int
    models: int
    gap: float
    ci_low: float
    ci_high: float
    standard_error: float
    p_value: float
    p_value_participants: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapDifference:
    """A human's gap minus a model's gap, paired by image."""

    human: str
    model: str
    metric: Metric
    difference: float
    ci_low: float
    ci_high: float
    standard_error: float
    p_value: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GapStatistics:
    """The gaps of a study between its original and its new dataset, with intervals."""

    original: str = ""
    new: str = ""
    resampled: ResampledUnit = ResampledUnit.IMAGES
    resamples: int = 0
    participants: tuple[GapInterval, ...] = ()
    groups: tuple[GapGroupRow, ...] = ()
    differences: tuple[GapDifference, ...] = ()

    def group(self, group: GapGroup, metric: Metric, subset: str = ALL) -> GapGroupRow | None:
        """Return one row of the groups, or None."""
        wanted = group, metric, subset
        return next((r for r in self.groups if (r.group, r.metric, r.subset) == wanted), None)


@dataclass(frozen=True, slots=True, eq=False)
class DatasetPair:
    """The original and the new dataset, and the resamples for all their gaps."""

    original: ScoredDataset
    new: ScoredDataset
    resampler: GapResampler
    seed: int

    @property
    def humans(self) -> int:
        return self.original.marks.humans

    def resampled(self, metric: Metric, subset: str = ALL) -> ResampledGaps:
        return self.resampler.gaps(
            *(
                AnswerCounts(
                    scored.right(metric), scored.counted(metric) & scored.members_of(subset)
                )
                for scored in (self.original, self.new)
            )
        )


def dataset_pair(
    original: ScoredDataset, new: ScoredDataset, *, seed: int, times: int = GAP_RESAMPLES
) -> DatasetPair:
    """Prepare the resamples; classes are drawn if both bases are balanced over the same classes."""
    bases = original.facts.base, new.facts.base
    units = resampling_units(
        original.dataset.targets.astype(np.int64),
        new.dataset.targets.astype(np.int64),
        original_base=bases[0],
        new_base=bases[1],
        seed=seed,
    )
    return DatasetPair(original, new, GapResampler(units, *bases, seed=seed, times=times), seed)


def gap_statistics(pair: DatasetPair) -> GapStatistics:
    """Compute the gaps on all images by every metric, and on groups of classes by two metrics."""
    participants: list[GapInterval] = []
    groups: list[GapGroupRow] = []
    differences: list[GapDifference] = []
    for metric in Metric:
        found = GapsOf(pair, pair.resampled(metric), metric, ALL)
        participants.extend(found.participants())
        groups.extend(found.groups())
        if metric in _COMPARED:
            differences.extend(found.differences())
    for metric, subset in ((m, s) for m in _COMPARED for s in _present(pair)):
        found = GapsOf(pair, pair.resampled(metric, subset), metric, subset)
        participants.extend(found.participants())
        groups.extend(found.groups())
    joint = pair.resampler.units.joint
    return GapStatistics(
        original=pair.original.name,
        new=pair.new.name,
        resampled=ResampledUnit.CLASSES if joint else ResampledUnit.IMAGES,
        resamples=pair.resampler.times,
        participants=tuple(participants),
        groups=tuple(groups),
        differences=tuple(differences),
    )


def _present(pair: DatasetPair) -> Sequence[str]:
    """Return the subsets with images in both datasets that don't hold all images."""
    keys = [key for key in SUBSETS_WITH_GAPS if key in pair.original.subset_keys]
    both = (pair.original, pair.new)
    return [
        key
        for key in keys
        if all(scored.members_of(key).any() for scored in both)
        and any((scored.members_of(key) != scored.members_of()).any() for scored in both)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class GapsOf:
    """The rows of one metric on one subset."""

    pair: DatasetPair
    found: ResampledGaps
    metric: Metric
    subset: str

    @property
    def _rows(self) -> Counts:
        return np.flatnonzero(~np.isnan(self.found.gaps))

    @property
    def _humans(self) -> Counts:
        return self._rows[self._rows < self.pair.humans]

    @property
    def _models(self) -> Counts:
        return self._rows[self._rows >= self.pair.humans]

    def participants(self) -> Iterator[GapInterval]:
        names = self.pair.original.study.participants
        for row in self._rows.tolist():
            estimate = self.found.of(self._weights((row,)))
            yield GapInterval(
                participant=names[row],
                kind=ParticipantKind.HUMAN if row < self.pair.humans else ParticipantKind.MODEL,
                subset=self.subset,
                metric=self.metric,
                gap=estimate.value,
                ci_low=estimate.low,
                ci_high=estimate.high,
                standard_error=estimate.standard_error,
                p_value=estimate.p_value,
            )

    def groups(self) -> Iterator[GapGroupRow]:
        """Yield the groups that have participants, and their difference if both have."""
        humans, models = self._humans.tolist(), self._models.tolist()
        if humans:
            yield self._group(GapGroup.HUMANS, self._weights(humans))
        if models:
            yield self._group(GapGroup.MODELS, self._weights(models))
        if humans and models:
            weights = self._weights(humans) - self._weights(models)
            gaps = self.found.gaps
            p_value = permutation_p(gaps[humans], gaps[models], seed=self.pair.seed)
            yield self._group(GapGroup.DIFFERENCE, weights, p_value)

    def _group(
        self, group: GapGroup, weights: Reals, p_participants: float | None = None
    ) -> GapGroupRow:
        estimate = self.found.of(weights)
        return GapGroupRow(
            group=group,
            subset=self.subset,
            metric=self.metric,
            humans=len(self._humans),
            models=len(self._models),
            gap=estimate.value,
            ci_low=estimate.low,
            ci_high=estimate.high,
            standard_error=estimate.standard_error,
            p_value=estimate.p_value,
            p_value_participants=p_participants,
        )

    def differences(self) -> Iterator[GapDifference]:
        names = self.pair.original.study.participants
        for human in self._humans.tolist():
            for model in self._models.tolist():
                estimate = self._between(human, model)
                yield GapDifference(
                    human=names[human],
                    model=names[model],
                    metric=self.metric,
                    difference=estimate.value,
                    ci_low=estimate.low,
                    ci_high=estimate.high,
                    standard_error=estimate.standard_error,
                    p_value=estimate.p_value,
                )

    def _between(self, human: int, model: int) -> GapEstimate:
        return self.found.of(self._weights((human,)) - self._weights((model,)))

    def _weights(self, rows: Sequence[int]) -> Reals:
        """Return weights that average the given participants."""
        weights = np.zeros(len(self.found.gaps))
        weights[list(rows)] = 1.0 / len(rows)
        return weights
