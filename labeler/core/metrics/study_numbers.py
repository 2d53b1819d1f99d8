"""Compute all numbers of a report from a study's answers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from labeler.core.metrics.accuracy import Accuracy, AccuracyTable
from labeler.core.metrics.accuracy_by_part import (
    ConfidenceAccuracy,
    ExposureAccuracy,
    accuracy_by_confidence,
    accuracy_by_exposure,
)
from labeler.core.metrics.active_times import Timing, timing
from labeler.core.metrics.adjusted_tests import AdjustedTest, adjusted_tests
from labeler.core.metrics.by_class import (
    TRIALS,
    ClassResampling,
    class_averages,
    class_resamplings,
)
from labeler.core.metrics.calibration import (
    ConfidenceStep,
    ReliabilityBin,
    confidence_steps,
    reliability,
)
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.error_analysis import (
    AllWrongImages,
    BestPairDifferences,
    ConfusionMatrix,
    all_wrong,
    best_pair_differences,
    confusion_matrix,
)
from labeler.core.metrics.gap_intervals import (
    DatasetPair,
    GapStatistics,
    dataset_pair,
    gap_statistics,
)
from labeler.core.metrics.gaps import Gap, gaps
from labeler.core.metrics.human_aggregates import (
    HumanAggregateAccuracy,
    human_agreement,
    human_averages,
    majority_vote_accuracies,
)
from labeler.core.metrics.image_facts import FAST_SECONDS
from labeler.core.metrics.model_fits import ModelFit, clear_resample_cache, model_fits
from labeler.core.metrics.omissions import Omission, omissions
from labeler.core.metrics.participant_pairs import (
    ErrorConsistency,
    McNemarResult,
    error_consistencies,
    mcnemar_tests,
)
from labeler.core.metrics.scored_dataset import ScoredDataset, score_dataset
from labeler.core.metrics.sensitivity import SensitivityRow, sensitivity
from labeler.core.metrics.study_answers import StudyAnswers
from labeler.core.metrics.subsets import Subset
from labeler.core.metrics.tallies import (
    AnswerCoverage,
    DatasetTally,
    EscapeHatchTally,
    MetricDifference,
    UnjudgedAnswers,
    coverage,
    dataset_tally,
    escape_hatches,
    metric_differences,
    unjudged,
)
from labeler.core.statistics.agreement import Agreement
from labeler.core.statistics.gap_bootstrap import GAP_RESAMPLES
from labeler.core.statistics.linear_fit import FIT_RESAMPLES

Row = TypeVar("Row")

_COMPARED = (Metric.TOP1, Metric.MULTI_LABEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSettings:
    """The settings that affect the numbers; the pair of datasets is given by name."""

    seed: int
    original: str | None
    new: str | None
    fast_seconds: float = FAST_SECONDS
    trials: int = TRIALS
    resamples: int = FIT_RESAMPLES
    gap_resamples: int = GAP_RESAMPLES
    # What the lead said in advance that each step of confidence means; empty if nothing.
    confidence_probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StudyNumbers:
    """Every number of the report, as rows."""

    study: StudyAnswers
    settings: NumberSettings
    subsets: tuple[Subset, ...]
    scored: tuple[ScoredDataset, ...]
    tables: tuple[AccuracyTable, ...]
    datasets: tuple[DatasetTally, ...]
    accuracy: tuple[Accuracy, ...]
    accuracy_other: tuple[Accuracy, ...]
    accuracy_all_images: tuple[Accuracy, ...]
    together: tuple[HumanAggregateAccuracy, ...]
    coverage: tuple[AnswerCoverage, ...]
    gaps: tuple[Gap, ...]
    gap_statistics: GapStatistics
    adjusted_tests: tuple[AdjustedTest, ...]
    sensitivity: tuple[SensitivityRow, ...]
    mcnemar: tuple[McNemarResult, ...]
    class_resampling: tuple[ClassResampling, ...]
    fits: tuple[ModelFit, ...]
    escape_hatches: tuple[EscapeHatchTally, ...]
    by_exposure: tuple[ExposureAccuracy, ...]
    by_confidence: tuple[ConfidenceAccuracy, ...]
    confidence_steps: tuple[ConfidenceStep, ...]
    reliability: tuple[ReliabilityBin, ...]
    unjudged: tuple[UnjudgedAnswers, ...]
    differences: tuple[MetricDifference, ...]
    error_consistency: tuple[ErrorConsistency, ...]
    timing: Timing
    all_wrong: AllWrongImages
    differing: BestPairDifferences | None
    confusions: tuple[ConfusionMatrix, ...]
    agreement: Agreement
    omissions: tuple[Omission, ...]


def study_numbers(
    study: StudyAnswers,
    subsets: tuple[Subset, ...],
    settings: NumberSettings,
    *,
    between: Callable[[], object] = lambda: None,
) -> StudyNumbers:
    """Compute all numbers; equal answers and settings give equal numbers.

    `between` is called before each dataset's part of a number; it may raise to cancel.
    """
    scored = _scored(study, subsets, settings)
    tables = tuple(s.table(metric) for s in scored for metric in Metric)
    pair, best = _pair(scored, settings), best_pair_differences(scored)
    by_metric = [(s, metric) for s in scored for metric in _COMPARED]
    fits = tuple(_fits(tables, pair, settings))
    between()
    compared = _dataset_pair(scored, pair, settings)
    gap_numbers = GapStatistics() if compared is None else gap_statistics(compared)
    mcnemar = _flat(between, (mcnemar_tests(*each) for each in by_metric))
    resamplings = _flat(between, (_class_resamplings(*each, settings) for each in by_metric))
    numbers = StudyNumbers(
        study=study,
        settings=settings,
        subsets=subsets,
        scored=scored,
        tables=tables,
        datasets=tuple(map(dataset_tally, scored)),
        accuracy=_flat(between, (table.rows() for table in tables)),
        accuracy_other=_flat(between, (_other_conventions(s, settings) for s in scored)),
        accuracy_all_images=_flat(between, (_all_images(s, settings) for s in scored)),
        together=_together(scored, tables, between),
        coverage=_flat(between, map(coverage, scored)),
        gaps=_flat(between, (gaps(*both) for both in _pairs(tables, pair))),
        gap_statistics=gap_numbers,
        adjusted_tests=tuple(adjusted_tests(scored, gap_numbers, mcnemar, resamplings)),
        sensitivity=() if compared is None else tuple(sensitivity(compared)),
        mcnemar=mcnemar,
        class_resampling=resamplings,
        fits=fits,
        escape_hatches=_flat(between, map(escape_hatches, scored)),
        by_exposure=_flat(between, (accuracy_by_exposure(*each) for each in by_metric)),
        by_confidence=_flat(between, (accuracy_by_confidence(*each) for each in by_metric)),
        confidence_steps=_flat(
            between,
            (
                confidence_steps(
                    *each, seed=settings.seed, assigned=settings.confidence_probabilities
                )
                for each in by_metric
            ),
        ),
        reliability=_flat(between, (reliability(*each) for each in by_metric)),
        unjudged=_flat(between, map(unjudged, scored)),
        differences=_flat(between, map(metric_differences, scored)),
        error_consistency=_flat(between, (error_consistencies(*each) for each in by_metric)),
        timing=timing(scored, fast_seconds=settings.fast_seconds),
        all_wrong=all_wrong(scored),
        differing=best,
        confusions=tuple(_confusions(scored, best)),
        agreement=human_agreement(scored),
        omissions=tuple(omissions(scored, pair, fits)),
    )
    clear_resample_cache()
    return numbers


def _scored(
    study: StudyAnswers, subsets: tuple[Subset, ...], settings: NumberSettings
) -> tuple[ScoredDataset, ...]:
    return tuple(
        score_dataset(study, dataset, subsets, fast_seconds=settings.fast_seconds)
        for dataset in study.datasets
    )


def _together(
    scored: Sequence[ScoredDataset],
    tables: Sequence[AccuracyTable],
    between: Callable[[], object],
) -> tuple[HumanAggregateAccuracy, ...]:
    return (
        *_flat(between, map(majority_vote_accuracies, scored)),
        *_flat(between, map(human_averages, tables)),
    )


def _flat(between: Callable[[], object], parts: Iterable[Iterable[Row]]) -> tuple[Row, ...]:
    """Collect the rows of all parts, which are computed one by one."""
    rows: list[Row] = []
    for part in parts:
        between()
        rows.extend(part)
    return tuple(rows)


def _class_resamplings(
    scored: ScoredDataset, metric: Metric, settings: NumberSettings
) -> Iterator[ClassResampling]:
    return class_resamplings(scored, metric, seed=settings.seed, trials=settings.trials)


def _pair(scored: Sequence[ScoredDataset], settings: NumberSettings) -> tuple[str, str] | None:
    names = {s.name for s in scored}
    if settings.original in names and settings.new in names and settings.original != settings.new:
        return str(settings.original), str(settings.new)
    return None


def _dataset_pair(
    scored: Sequence[ScoredDataset], pair: tuple[str, str] | None, settings: NumberSettings
) -> DatasetPair | None:
    if pair is None:
        return None
    by_name = {one.name: one for one in scored}
    return dataset_pair(
        by_name[pair[0]], by_name[pair[1]], seed=settings.seed, times=settings.gap_resamples
    )


def _pairs(
    tables: Sequence[AccuracyTable], pair: tuple[str, str] | None
) -> Iterator[tuple[AccuracyTable, AccuracyTable]]:
    """Yield the tables of the original and the new dataset for each metric."""
    if pair is None:
        return
    found = {(table.dataset, table.metric): table for table in tables}
    for metric in Metric:
        yield found[pair[0], metric], found[pair[1], metric]


def _fits(
    tables: Sequence[AccuracyTable], pair: tuple[str, str] | None, settings: NumberSettings
) -> Iterator[ModelFit]:
    for original, new in _pairs(tables, pair):
        if original.metric is not Metric.MULTI_LABEL_IMPUTED:
            yield from model_fits(original, new, seed=settings.seed, times=settings.resamples)


def _other_conventions(scored: ScoredDataset, settings: NumberSettings) -> Iterator[Accuracy]:
    for metric in Metric:
        if metric.needs_labels:
            yield from scored.table(metric, Convention.UNCLEAR_COUNTS).rows()
        yield from class_averages(scored, metric, Convention.PER_CLASS, seed=settings.seed)
        if metric.needs_labels:
            both = Convention.PER_CLASS_UNCLEAR_COUNTS
            yield from class_averages(scored, metric, both, seed=settings.seed)


def _all_images(base: ScoredDataset, settings: NumberSettings) -> Iterator[Accuracy]:
    """Yield the models' accuracies on all images of the dataset, sampled or not."""
    scored = score_dataset(
        base.study,
        base.dataset,
        base.subsets,
        fast_seconds=settings.fast_seconds,
        marks=base.marks,
        everything=True,
    )
    for metric in Metric:
        for row in scored.table(metric).rows():
            if row.participant in base.study.models:
                yield row


def _confusions(
    scored: Sequence[ScoredDataset], best: BestPairDifferences | None
) -> Iterator[ConfusionMatrix]:
    for participant in () if best is None else (best.human, best.model):
        found = confusion_matrix(scored, participant)
        if found is not None and np.any(found.counts):
            yield found
