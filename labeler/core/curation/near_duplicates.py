"""Near-duplicates: pairs of images, neighbours by distance, and how deep they were reviewed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.study.entities import ImageKey

NEIGHBOURS = 30
NEIGHBOURS_SHOWN = 10

# The metrics that are computed, in the order of the search: the others are people's or the pool's.
SEARCHED_METRICS = (DuplicateMetric.L2, DuplicateMetric.FEATURES, DuplicateMetric.DSSIM)
# Limits of the published dataset. That of features depends on the network, so it is measured.
DEFAULT_LIMITS = {DuplicateMetric.L2: 1.2e8, DuplicateMetric.DSSIM: 0.2205}


@dataclass(frozen=True, slots=True, order=True)
class ImagePair:
    """Two images in their order, so that a pair equals itself the other way round."""

    first: ImageKey
    second: ImageKey

    @classmethod
    def of(cls, one: ImageKey, other: ImageKey) -> "ImagePair":
        """Return the unordered pair of two different images."""
        if one == other:
            raise ValueError("an image makes no pair with itself")
        return cls(min(one, other), max(one, other))

    def other(self, image: ImageKey) -> ImageKey:
        return self.second if image == self.first else self.first


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A reviewer's verdict about a pair; `at` is a UTC stamp."""

    pair: ImagePair
    verdict: PairVerdict
    reviewer: str
    at: str
    metric: DuplicateMetric = DuplicateMetric.MANUAL
    distance: float | None = None


def current_verdicts(judged: Iterable[JudgedPair]) -> dict[ImagePair, JudgedPair]:
    """Return the verdict that counts for each pair: the newest, by whichever metric it was found.

    Equal stamps are decided by the reviewer's code, so that every machine decides the same.
    """
    newest: dict[ImagePair, JudgedPair] = {}
    for judgement in judged:
        known = newest.get(judgement.pair)
        if known is None or (known.at, known.reviewer) <= (judgement.at, judgement.reviewer):
            newest[judgement.pair] = judgement
    return newest


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An image near another one; the distance is in the units of the metric."""

    image: ImageKey
    distance: float


def review_depth(
    image: ImageKey,
    neighbours: Sequence[Neighbour] | None,
    reviewed: Collection[ImagePair],
    *,
    skipped: Collection[ImageKey] = (),
) -> float:
    """Return the distance of the nearest unreviewed neighbour.

    Infinity if all are reviewed, 0 if no neighbours were computed. Rejected images and images of
    the same source are skipped.
    """
    if neighbours is None:
        return 0.0
    return min(
        (
            neighbour.distance
            for neighbour in neighbours
            if neighbour.image not in skipped
            and ImagePair.of(image, neighbour.image) not in reviewed
        ),
        default=inf,
    )


def is_deep_enough(
    depths: Mapping[DuplicateMetric, float], limits: Mapping[DuplicateMetric, float]
) -> bool:
    """Return whether the candidate was reviewed beyond the limit of every metric that was used."""
    return all(depths.get(metric, 0.0) > limit for metric, limit in limits.items())


@dataclass(frozen=True, slots=True)
class DuplicateRow:
    """A candidate and its nearest unreviewed neighbours within the limit: reviewed as a whole."""

    candidate: ImageKey
    metric: DuplicateMetric
    neighbours: tuple[Neighbour, ...]


def plan_review(
    pairs: Mapping[DuplicateMetric, Mapping[ImagePair, float]],
    limits: Mapping[DuplicateMetric, float],
    *,
    reviewed: Collection[ImagePair],
    protection: Mapping[ImageKey, int],
    skipped: Collection[ImageKey] = (),
) -> list[DuplicateRow]:
    """Return the rows to review: those of the least protected candidates, nearest pairs first.

    Each open pair is in one row, unless one of its images is skipped. A pair belongs to the metric
    in which it is nearest, relative to the limit. The less protected image of a pair is the
    candidate; without a difference it is the first.
    """
    best: dict[ImagePair, tuple[float, DuplicateMetric, float]] = {}
    for metric, found in pairs.items():
        for pair, distance in found.items():
            share = distance / limits[metric] if limits[metric] else inf
            if pair in reviewed or pair.first in skipped or pair.second in skipped:
                continue
            if distance <= limits[metric]:
                nearness = (share, metric, distance)
                best[pair] = min(best.get(pair, nearness), nearness)
    rows: dict[tuple[ImageKey, DuplicateMetric], list[Neighbour]] = {}
    for pair in sorted(best, key=lambda pair: (best[pair], pair)):
        _share, metric, distance = best[pair]
        candidate = min(
            (pair.first, pair.second), key=lambda image: (protection.get(image, 0), image)
        )
        row = rows.setdefault((candidate, metric), [])
        row.append(Neighbour(pair.other(candidate), distance))
    return [
        DuplicateRow(candidate, metric, tuple(found[start : start + NEIGHBOURS_SHOWN]))
        for (candidate, metric), found in sorted(
            rows.items(), key=lambda row: protection.get(row[0][0], 0)
        )
        for start in range(0, len(found), NEIGHBOURS_SHOWN)
    ]
