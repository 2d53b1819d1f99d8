"""A participant's accuracy on images seen before, and on the others."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.proportions import clopper_pearson


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


def accuracy_by_exposure(scored: ScoredDataset, metric: Metric) -> Iterator[ExposureAccuracy]:
    """Yield both parts for everyone who had seen some images; empty parts are left out."""
    seen = scored.dataset.seen_before
    if seen is None:
        return
    humans = scored.marks.humans
    counts = scored.counted(metric)[:humans] & scored.members_of()
    right = scored.right(metric)[:humans] & counts
    for row, code in enumerate(scored.study.humans):
        if not (counts[row] & seen[row]).any():
            continue
        for before in (True, False):
            part = counts[row] & (seen[row] == before)
            total = int(np.count_nonzero(part))
            if total:
                correct = int(np.count_nonzero(right[row] & part))
                interval = clopper_pearson([correct], [total])
                yield ExposureAccuracy(
                    participant=code,
                    dataset=scored.name,
                    metric=metric,
                    seen_before=before,
                    correct=correct,
                    total=total,
                    accuracy=correct / total,
                    ci_low=float(interval.low[0]),
                    ci_high=float(interval.high[0]),
                )
