"""Nearest neighbours by blocked matrix products: exact, with everything within a bound."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeler.core.curation.fingerprints import Vectors

_COLUMNS = 8192
_HALF_UNIT = float(np.finfo(np.float32).eps) / 2

Places = NDArray[np.int64]
Distances = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """The neighbours of one image, nearest first, as places in the searched vectors."""

    places: Places
    distances: Distances


@dataclass(frozen=True, slots=True, eq=False)
class SearchedVectors:
    """Vectors to search, with their squared lengths."""

    vectors: Vectors
    norms: Vectors
    rounding: float

    @classmethod
    def of(cls, vectors: Vectors) -> "SearchedVectors":
        norms = np.einsum("ij,ij->i", vectors, vectors)
        longest = float(norms.max()) if len(norms) else 0.0
        # A bound on the rounding of |x|² + |y|² - 2xy, so that no pair within a bound is missed.
        rounding = 4 * (vectors.shape[1] + 4) * _HALF_UNIT * longest
        return cls(vectors, norms, rounding)

    def __len__(self) -> int:
        return len(self.vectors)

    def nearest(self, first: int, last: int, *, count: int, within: float = -1.0) -> list[Found]:
        """Return the nearest `count` of each vector from `first` to before `last`, without itself.

        Neighbours within the squared distance `within` are returned however many they are.
        """
        queries = self.vectors[first:last]
        hits = _Hits(len(queries), count, within + self.rounding)
        for start in range(0, len(self.vectors), _COLUMNS):
            stop = min(start + _COLUMNS, len(self.vectors))
            squared = queries @ self.vectors[start:stop].T
            squared *= -2
            squared += self.norms[first:last, None]
            squared += self.norms[None, start:stop]
            own = np.arange(max(first, start), min(last, stop))
            squared[own - first, own - start] = np.inf
            hits.add(squared, start)
        return [self._exact(queries[row], places, hits) for row, places in enumerate(hits.rows())]

    def _exact(self, query: Vectors, places: Places, hits: "_Hits") -> Found:
        """Compute the distances again without the rounding, and keep what was asked for."""
        difference = self.vectors[places].astype(np.float64) - query
        distances = np.einsum("ij,ij->i", difference, difference)
        order = np.lexsort((places, distances))
        kept = max(hits.count, int(np.count_nonzero(distances <= hits.within)))
        return Found(places[order][:kept], distances[order][:kept])


class _Hits:
    """Collects the columns of a distance matrix, block by block, that can still be neighbours."""

    def __init__(self, rows: int, count: int, within: float) -> None:
        self.count, self.within = count, within
        self._best: Vectors = np.full((rows, count), np.inf, dtype=np.float32)
        self._found: list[tuple[Places, Places, Vectors]] = []

    def add(self, squared: Vectors, start: int) -> None:
        limit = np.maximum(self._limit(squared), np.float32(self.within))
        # An image itself is infinitely far away.
        limit = np.minimum(limit, np.finfo(np.float32).max)
        rows, columns = np.nonzero(squared <= limit[:, None])
        if not len(rows):
            return
        values = squared[rows, columns]
        self._found.append((rows, columns + start, values))
        self._improve(rows, values)

    def rows(self) -> list[Places]:
        """Return the places of each row that are among the nearest, or within the bound."""
        count = len(self._best)
        if not self._found:
            return [np.empty(0, dtype=np.int64)] * count
        rows, places, values = (
            np.concatenate([part[at] for part in self._found]) for at in range(3)
        )
        limit = np.maximum(self._best[:, -1], np.float32(self.within))
        kept = values <= limit[rows]
        order = np.argsort(rows[kept], kind="stable")
        sorted_rows = rows[kept][order]
        edges = np.searchsorted(sorted_rows, np.arange(1, count))
        return list(np.split(places[kept][order], edges))

    def _limit(self, squared: Vectors) -> Vectors:
        """Return the distance of each row's last neighbour so far; the first block sets it."""
        limit: Vectors = self._best[:, -1]
        if squared.shape[1] > self.count and np.isinf(limit).any():
            nth = np.partition(squared, self.count - 1, axis=1)[:, self.count - 1]
            limit = np.minimum(limit, nth)
        return limit

    def _improve(self, rows: Places, values: Vectors) -> None:
        counts = np.bincount(rows, minlength=len(self._best))
        touched = np.flatnonzero(counts)
        # np.nonzero returns rows in order, so that a row's values are next to each other.
        offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        table: Vectors = np.full((len(self._best), int(counts.max())), np.inf, dtype=np.float32)
        table[rows, offsets] = values
        both = np.concatenate([self._best[touched], table[touched]], axis=1)
        both.partition(self.count - 1, axis=1)
        nearest = both[:, : self.count]
        nearest.sort(axis=1)
        self._best[touched] = nearest


def recall(found: list[Places], exact: list[Places]) -> float:
    """Return the share of the exact neighbours that were found."""
    wanted = sum(map(len, exact))
    hits = sum(len(np.intersect1d(a, b)) for a, b in zip(found, exact, strict=True))
    return hits / wanted if wanted else 1.0
