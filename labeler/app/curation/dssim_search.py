"""The search by structure: within a class, its nearest classes, and what other metrics found."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labeler.app.lru_cache import LruCache
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.curation.fingerprints import Pixels
from labeler.core.curation.near_duplicates import NEIGHBOURS
from labeler.core.curation.neighbour_search import Found, recall
from labeler.core.curation.structural_similarity import (
    SCREENING_MARGIN,
    ScreenedGroup,
    WindowMoments,
    dssim,
    screened_dssim,
    screened_group,
    window_moments,
)
from labeler.store.curation.duplicates import ComparedImage, PackedNeighbours

NEAREST_CLASSES = 5
_BATCH = 32
_PARTNERS = 64
_CACHED_MOMENTS = 96
_RECALL_QUERIES, _RECALL_IMAGES, _RECALL_NEIGHBOURS = 4, 150, 10
# The nearest by screening are always computed exactly.
_EXACT = NEIGHBOURS + 10

Places = NDArray[np.int64]


class DssimSearch:
    """Screens all pairs of a class by matrix products, and computes the promising ones exactly."""

    def __init__(
        self,
        *,
        images: Sequence[ComparedImage],
        searched: int,
        pixels: Pixels,
        rows: Places,
        taxonomy: Taxonomy,
        others: Sequence[Mapping[int, PackedNeighbours]],
        limit: float,
    ) -> None:
        self._images, self._searched = images, searched
        self._pixels, self._rows = pixels, rows
        self._taxonomy, self._others, self._limit = taxonomy, others, limit
        self._place = {image.id: place for place, image in enumerate(images)}
        self._by_class: dict[str, list[int]] = defaultdict(list)
        for place, image in enumerate(images):
            self._by_class[image.wnid].append(place)
        self._moments = LruCache[int, WindowMoments](_CACHED_MOMENTS)

    def pending(self, done: Collection[int]) -> list[list[int]]:
        """Return batches of images of one class that aren't computed yet."""
        batches = []
        for wnid in sorted(self._by_class):
            open_places = [
                place
                for place in self._by_class[wnid]
                if place < self._searched and self._images[place].id not in done
            ]
            batches += [open_places[i : i + _BATCH] for i in range(0, len(open_places), _BATCH)]
        return batches

    def pair_count(self, done: Collection[int]) -> int:
        """Return how many pairs would be screened, for an estimate."""
        return sum(
            len(batch) * len(self._class_partners(self._images[batch[0]].wnid))
            for batch in self.pending(done)
        )

    def nearest(self, batch: Sequence[int]) -> Iterator[tuple[int, Found]]:
        """Yield the neighbours of each image of a batch of one class."""
        partners = self._class_partners(self._images[batch[0]].wnid)
        screened = self._screen(batch, partners)
        for number, query in enumerate(batch):
            row = screened[number].copy()
            row[partners == query] = np.inf
            nearest = np.argsort(row, kind="stable")[:_EXACT]
            chosen = set(partners[nearest[np.isfinite(row[nearest])]].tolist())
            chosen |= set(partners[row <= self._limit + SCREENING_MARGIN].tolist())
            chosen |= self._found_elsewhere(query)
            yield query, self._exact(query, sorted(chosen - {query}))

    def measured_recall(self, seed: str) -> float:
        """Return the share of the nearest images of a sample that the screening lets through."""
        drawn = random.Random(seed)
        count = min(_RECALL_IMAGES, len(self._images))
        places = np.array(sorted(drawn.sample(range(len(self._images)), count)), dtype=np.int64)
        queries = sorted(drawn.sample(range(count), min(_RECALL_QUERIES, count)))
        found, exact = [], []
        for query in queries:
            own = int(places[query])
            others = np.delete(places, query)
            truth = self._exact(own, others.tolist())
            screened = self._screen([own], others)[0]
            exact.append(truth.places[:_RECALL_NEIGHBOURS])
            found.append(others[np.argsort(screened, kind="stable")[:_EXACT]])
        return recall(found, exact)

    def _class_partners(self, wnid: str) -> Places:
        classes = (wnid, *self._taxonomy.nearest_classes(wnid, NEAREST_CLASSES))
        places = sorted(place for other in classes for place in self._by_class.get(other, ()))
        return np.array(places, dtype=np.int64)

    def _found_elsewhere(self, query: int) -> set[int]:
        number = self._images[query].id
        return {
            self._place[int(other)]
            for metric in self._others
            if number in metric
            for other in metric[number]["image"]
            if int(other) in self._place
        }

    def _screen(self, batch: Sequence[int], partners: Places) -> NDArray[np.float32]:
        own = self._group(np.array(batch, dtype=np.int64))
        parts = [
            screened_dssim(own, self._group(partners[first : first + _PARTNERS]))
            for first in range(0, len(partners), _PARTNERS)
        ]
        return np.concatenate(parts, axis=1)

    def _group(self, places: Places) -> ScreenedGroup:
        return screened_group(np.stack([self._pixels[self._rows[place]] for place in places]))

    def _exact(self, query: int, places: Sequence[int]) -> Found:
        own = self._of(query)
        distances = np.array([dssim(own, self._of(place)) for place in places], dtype=np.float64)
        order = np.argsort(distances, kind="stable")
        return Found(np.array(places, dtype=np.int64)[order], distances[order])

    def _of(self, place: int) -> WindowMoments:
        if place not in self._moments:
            pixels = np.asarray(self._pixels[self._rows[place]])
            self._moments.put(place, window_moments(pixels))
        return self._moments[place]
