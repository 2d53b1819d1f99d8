"""How often answers are right by how sure they were: people by step, models by probability."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.arrays import Counts, Flags
from labeler.core.statistics.gap_bootstrap import MAX_UNITS
from labeler.core.statistics.proportions import INTERVAL_LEVEL, clopper_pearson
from labeler.core.statistics.random_draws import generator, percentiles, resample_counts
from labeler.core.study.entities import CONFIDENCE_LEVELS

RELIABILITY_BINS = 10
_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceStep:
    """The accuracy of all people's answers with one step of confidence.

    Several people answered the same image, so the interval is from resampled images.
    `assigned_probability` is what the lead said before the evaluation that the step means.
    """

    dataset: str
    metric: Metric
    confidence: int
    assigned_probability: float | None
    people: int
    correct: int
    total: int
    accuracy: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """A model's accuracy on the images whose first guess has a probability in a range."""

    participant: str
    dataset: str
    metric: Metric
    above: float
    up_to: float
    correct: int
    total: int
    mean_probability: float
    accuracy: float
    ci_low: float
    ci_high: float


def confidence_steps(
    scored: ScoredDataset, metric: Metric, *, seed: int, assigned: Sequence[float] = ()
) -> Iterator[ConfidenceStep]:
    """Yield the steps that people chose; nothing where they weren't asked.

    `assigned` has the probability that the lead assigned to each step, or nothing.
    """
    confidence = scored.dataset.confidence
    if confidence is None:
        return
    humans = scored.marks.humans
    counted = scored.counted(metric)[:humans] & scored.members_of()
    right = scored.right(metric)[:humans] & counted
    for step in range(1, CONFIDENCE_LEVELS + 1):
        chosen = counted & (confidence == step)
        total = int(np.count_nonzero(chosen))
        if total:
            correct = int(np.count_nonzero(right & chosen))
            low, high = _image_interval(right & chosen, chosen, seed=seed)
            yield ConfidenceStep(
                dataset=scored.name,
                metric=metric,
                confidence=step,
                assigned_probability=assigned[step - 1] if assigned else None,
                people=int(np.count_nonzero(chosen.any(axis=1))),
                correct=correct,
                total=total,
                accuracy=correct / total,
                ci_low=low,
                ci_high=high,
            )


def _image_interval(right: Flags, counted: Flags, *, seed: int) -> tuple[float, float]:
    """Resample images; all or no answers right give the exact interval of as many images."""
    used = counted.any(axis=0)
    correct, total = right[:, used].sum(axis=0), counted[:, used].sum(axis=0)
    if correct.sum() in (0, total.sum()):
        images = len(total)
        exact = clopper_pearson([images if correct.sum() else 0], [images])
        return float(exact.low[0]), float(exact.high[0])
    units = np.arange(len(total)) % MAX_UNITS
    sums: list[Counts] = [np.bincount(units, weights=values) for values in (correct, total)]
    random = generator(seed, f"confidence over {len(sums[0])}")
    drawn = resample_counts(random, of=len(sums[0]), times=_RESAMPLES).astype(float)
    low, high = percentiles((drawn @ sums[0] / (drawn @ sums[1]))[:, None], INTERVAL_LEVEL)
    return float(low[0]), float(high[0])


def reliability(scored: ScoredDataset, metric: Metric) -> Iterator[ReliabilityBin]:
    """Yield the bins of each model that gave probabilities; empty bins are left out."""
    humans = scored.marks.humans
    counted = scored.counted(metric) & scored.members_of()
    right = scored.right(metric) & counted
    for row, scores in enumerate(scored.dataset.model_scores, start=humans):
        if scores is not None:
            known = counted[row] & (scores >= 0) & (scores <= 1)
            yield from _bins(scored, metric, row, known, right[row])


def _bins(
    scored: ScoredDataset, metric: Metric, row: int, known: Flags, right: Flags
) -> Iterator[ReliabilityBin]:
    scores = scored.dataset.model_scores[row - scored.marks.humans]
    assert scores is not None
    bins = np.clip(np.ceil(scores[known] * RELIABILITY_BINS).astype(np.int64) - 1, 0, None)
    total = np.bincount(bins, minlength=RELIABILITY_BINS)
    correct = np.bincount(bins[right[known]], minlength=RELIABILITY_BINS)
    sums = np.bincount(bins, weights=scores[known], minlength=RELIABILITY_BINS)
    interval = clopper_pearson(correct, np.maximum(total, 1))
    for number in np.flatnonzero(total).tolist():
        yield ReliabilityBin(
            participant=scored.study.participants[row],
            dataset=scored.name,
            metric=metric,
            above=number / RELIABILITY_BINS,
            up_to=(number + 1) / RELIABILITY_BINS,
            correct=int(correct[number]),
            total=int(total[number]),
            mean_probability=float(sums[number] / total[number]),
            accuracy=float(correct[number] / total[number]),
            ci_low=float(interval.low[number]),
            ci_high=float(interval.high[number]),
        )
