"""Counts of images and labels, escape hatches, unjudged answers, and coverage."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.answer_marks import UNJUDGED
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.arrays import Flags, Reals
from labeler.core.study.entities import ParticipantKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetTally:
    """Counts of images; `images` counts the whole dataset, all other fields its base.

    A base image is evaluated, problematic, or (if not problematic) judged with no correct label.
    `unjudged` are evaluated images without a verdict, left out of multi-label metrics only.
    """

    dataset: str
    images: int
    base: int
    evaluated: int
    problematic: int
    without_correct_label: int
    unjudged: int
    multi_label_images: int
    mean_labels_of_multi_label_images: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EscapeHatchTally:
    """Multi-label accuracy with and without imputation; `used` counts within its denominator."""

    participant: str
    dataset: str
    used: int
    accuracy: float
    accuracy_imputed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedAnswers:
    """Unjudged answers to images that were judged; they count as wrong."""

    participant: str
    dataset: str
    predictions: int
    alternatives: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCoverage:
    """How many of the evaluated images a participant answered."""

    participant: str
    kind: ParticipantKind
    dataset: str
    answered: int
    evaluated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """The median over the models of one accuracy minus another, on the judged images."""

    dataset: str
    metric: Metric
    against: Metric
    models: int
    median_difference: float


def dataset_tally(scored: ScoredDataset) -> DatasetTally:
    facts = scored.facts
    evaluated = facts.evaluated
    labels = facts.correct_labels[evaluated]
    several = labels[labels > 1]
    return DatasetTally(
        dataset=scored.name,
        images=len(scored.dataset.images),
        base=int(np.count_nonzero(facts.base)),
        evaluated=int(np.count_nonzero(evaluated)),
        problematic=int(np.count_nonzero(facts.base & facts.problematic)),
        without_correct_label=int(
            np.count_nonzero(facts.base & ~facts.problematic & facts.without_correct_label)
        ),
        unjudged=int(np.count_nonzero(evaluated & ~facts.judged)),
        multi_label_images=len(several),
        mean_labels_of_multi_label_images=float(several.mean()) if len(several) else None,
    )


def escape_hatches(scored: ScoredDataset) -> Iterator[EscapeHatchTally]:
    """Yield the tally of every human with a multi-label accuracy."""
    humans = scored.marks.humans
    counts = scored.counted(Metric.MULTI_LABEL)[:humans] & scored.members_of()
    right = scored.right(Metric.MULTI_LABEL)[:humans] & counts
    imputed = scored.right(Metric.MULTI_LABEL_IMPUTED)[:humans] & counts
    used = scored.marks.hatches & counts
    for row, code in enumerate(scored.study.humans):
        total = np.count_nonzero(counts[row])
        if total:
            yield EscapeHatchTally(
                participant=code,
                dataset=scored.name,
                used=int(np.count_nonzero(used[row])),
                accuracy=float(np.count_nonzero(right[row]) / total),
                accuracy_imputed=float(np.count_nonzero(imputed[row]) / total),
            )


def unjudged(scored: ScoredDataset) -> Iterator[UnjudgedAnswers]:
    """Yield the counts of everyone with such an answer to an evaluated image."""
    counts = scored.counted(Metric.MULTI_LABEL) & scored.members_of()
    first = np.count_nonzero(counts & (scored.marks.states == UNJUDGED), axis=1)
    humans = scored.marks.humans
    other = np.zeros_like(first)
    used = scored.marks.hatches & counts[:humans]
    other[:humans] = np.count_nonzero(used & (scored.marks.imputed[:humans] == UNJUDGED), axis=1)
    for row in np.flatnonzero(first + other).tolist():
        yield UnjudgedAnswers(
            participant=scored.study.participants[row],
            dataset=scored.name,
            predictions=int(first[row]),
            alternatives=int(other[row]),
        )


def coverage(scored: ScoredDataset) -> Iterator[AnswerCoverage]:
    """Yield the coverage of everyone who answered a base image, and of labelers without answers."""
    evaluated = scored.members_of()
    answered = np.count_nonzero(scored.marks.answered & evaluated, axis=1)
    for row in np.flatnonzero((scored.marks.answered & scored.facts.base).any(axis=1)).tolist():
        human = row < scored.marks.humans
        yield AnswerCoverage(
            participant=scored.study.participants[row],
            kind=ParticipantKind.HUMAN if human else ParticipantKind.MODEL,
            dataset=scored.name,
            answered=int(answered[row]),
            evaluated=int(np.count_nonzero(evaluated)),
        )
    for code in scored.study.silent:
        yield AnswerCoverage(
            participant=code,
            kind=ParticipantKind.HUMAN,
            dataset=scored.name,
            answered=0,
            evaluated=int(np.count_nonzero(evaluated)),
        )


def metric_differences(scored: ScoredDataset) -> Iterator[MetricDifference]:
    """Yield multi-label accuracy against top-1 and top-5, each on the same images."""
    humans = scored.marks.humans
    counts = scored.counted(Metric.MULTI_LABEL) & scored.members_of()
    several = _shares(scored, Metric.MULTI_LABEL, counts)[humans:]
    for against in (Metric.TOP1, Metric.TOP5):
        has = scored.marks.has(against)[humans:] & counts[humans:].any(axis=1)
        if has.any():
            differences = several[has] - _shares(scored, against, counts)[humans:][has]
            yield MetricDifference(
                dataset=scored.name,
                metric=Metric.MULTI_LABEL,
                against=against,
                models=int(np.count_nonzero(has)),
                median_difference=float(np.median(differences)),
            )


def _shares(scored: ScoredDataset, metric: Metric, counts: Flags) -> Reals:
    hits = np.count_nonzero(scored.right(metric) & counts, axis=1)
    return np.asarray(hits / np.maximum(np.count_nonzero(counts, axis=1), 1))
