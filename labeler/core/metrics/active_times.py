"""Active time of each human, and of each image over the humans."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import ImageSubset, Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_TIME
from labeler.core.metrics.subsets import ALL

# The fast-image threshold is one of the edges; a bin includes its upper edge.
_EDGES = (0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 400)
_BANDS = (0.0, 10.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 180.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantTime:
    participant: str
    trials: int
    median_active_seconds: float
    total_active_hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeBand:
    """A participant's accuracy on the images whose median time is in a band."""

    participant: str
    metric: Metric
    above: float
    up_to: float | None
    correct: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """All timing results; a bin includes the images with a median up to its upper edge."""

    per_participant: tuple[ParticipantTime, ...]
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    fast_threshold_seconds: float
    fast_images: dict[str, int]
    bands: tuple[TimeBand, ...]


def timing(datasets: Sequence[ScoredDataset], *, fast_seconds: float) -> Timing:
    """Return the active times over all datasets; the histogram counts the images of their bases."""
    medians = np.concatenate([np.empty(0), *(s.facts.seconds[s.facts.base] for s in datasets)])
    medians = medians[~np.isnan(medians)]
    edges = [*map(float, _EDGES)]
    if len(medians) and medians.max() > edges[-1]:
        edges.append(float(np.ceil(medians.max())))
    bins = np.searchsorted(edges[1:], medians, side="left")
    return Timing(
        per_participant=tuple(_people(datasets)),
        edges=tuple(edges),
        counts=tuple(np.bincount(bins, minlength=len(edges) - 1).tolist()),
        fast_threshold_seconds=fast_seconds,
        fast_images={
            s.name: int(np.count_nonzero(s.members_of(ImageSubset.FAST))) for s in datasets
        },
        bands=tuple(_bands(datasets)),
    )


def _people(datasets: Sequence[ScoredDataset]) -> list[ParticipantTime]:
    if not datasets:
        return []
    times = np.concatenate([scored.dataset.active_ms for scored in datasets], axis=1)
    timed = []
    for code, row in zip(datasets[0].study.humans, times, strict=True):
        spent = row[row != NO_TIME]
        if len(spent):
            timed.append(
                ParticipantTime(
                    participant=code,
                    trials=len(spent),
                    median_active_seconds=float(np.median(spent)) / 1000,
                    total_active_hours=float(spent.sum()) / 3_600_000,
                )
            )
    return timed


def _bands(datasets: Sequence[ScoredDataset]) -> list[TimeBand]:
    """Return accuracy against time, with multi-label accuracy if any image was judged."""
    rows: list[TimeBand] = []
    if not datasets or all(np.isnan(s.facts.seconds).all() for s in datasets):
        return rows
    judged = any((s.facts.judged & s.members_of(ALL)).any() for s in datasets)
    metric = Metric.MULTI_LABEL if judged else Metric.TOP1
    names = datasets[0].study.participants
    for number, above in enumerate(_BANDS):
        up_to = _BANDS[number + 1] if number + 1 < len(_BANDS) else None
        correct, total = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
        for scored in datasets:
            seconds = scored.facts.seconds
            within = (seconds > above if number else seconds >= 0) & scored.members_of(ALL)
            within &= seconds <= (np.inf if up_to is None else up_to)
            counts = scored.counted(metric) & within
            correct += np.count_nonzero(counts & scored.right(metric), axis=1)
            total += np.count_nonzero(counts, axis=1)
        for name, hits, of in zip(names, correct.tolist(), total.tolist(), strict=True):
            if of:
                band = TimeBand(
                    participant=name,
                    metric=metric,
                    above=above,
                    up_to=up_to,
                    correct=hits,
                    total=of,
                )
                rows.append(band)
    return rows
