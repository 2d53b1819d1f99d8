"""A human's accuracy on parts of their answers: by earlier exposure, and by confidence."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.arrays import Flags
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.study.entities import CONFIDENCE_LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureAccuracy:
    """The accuracy on one part of a dataset; `seen_before` says which part."""

    participant: str
    dataset: str
    metric: Metric
    seen_before: bool
    correct: int
    total: int
    accuracy: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceAccuracy:
    """The accuracy of the answers that a human gave with one step of confidence."""

    participant: str
    dataset: str
    metric: Metric
    confidence: int
    correct: int
    total: int
    accuracy: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    correct: int
    total: int
    accuracy: float
    ci_low: float
    ci_high: float


def accuracy_by_exposure(scored: ScoredDataset, metric: Metric) -> Iterator[ExposureAccuracy]:
    """Yield both parts for everyone who had seen some images; empty parts are left out."""
    seen = scored.dataset.seen_before
    if seen is None:
        return
    for row, code, counts, right in _human_answers(scored, metric):
        if not (counts & seen[row]).any():
            continue
        for before in (True, False):
            part = _part(counts & (seen[row] == before), right)
            if part is not None:
                yield ExposureAccuracy(
                    participant=code,
                    dataset=scored.name,
                    metric=metric,
                    seen_before=before,
                    correct=part.correct,
                    total=part.total,
                    accuracy=part.accuracy,
                    ci_low=part.ci_low,
                    ci_high=part.ci_high,
                )


def accuracy_by_confidence(scored: ScoredDataset, metric: Metric) -> Iterator[ConfidenceAccuracy]:
    """Yield every step of confidence that a human gave; nothing where it wasn't asked."""
    confidence = scored.dataset.confidence
    if confidence is None:
        return
    for row, code, counts, right in _human_answers(scored, metric):
        for step in range(1, CONFIDENCE_LEVELS + 1):
            part = _part(counts & (confidence[row] == step), right)
            if part is not None:
                yield ConfidenceAccuracy(
                    participant=code,
                    dataset=scored.name,
                    metric=metric,
                    confidence=step,
                    correct=part.correct,
                    total=part.total,
                    accuracy=part.accuracy,
                    ci_low=part.ci_low,
                    ci_high=part.ci_high,
                )


def _human_answers(
    scored: ScoredDataset, metric: Metric
) -> Iterator[tuple[int, str, Flags, Flags]]:
    """Yield row and code of each human, and which answers the metric counts and accepts."""
    humans = scored.marks.humans
    counts = scored.counted(metric)[:humans] & scored.members_of()
    right = scored.right(metric)[:humans] & counts
    for row, code in enumerate(scored.study.humans):
        yield row, code, counts[row], right[row]


def _part(counts: Flags, right: Flags) -> _Part | None:
    """Return the accuracy of the counted answers, or None without any."""
    total = int(np.count_nonzero(counts))
    if not total:
        return None
    correct = int(np.count_nonzero(right & counts))
    interval = clopper_pearson([correct], [total])
    return _Part(
        correct=correct,
        total=total,
        accuracy=correct / total,
        ci_low=float(interval.low[0]),
        ci_high=float(interval.high[0]),
    )
