"""The search by structure: within a class, its nearest classes, and what other metrics found."""

import os
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.curation.fingerprints import Pixels
from labeler.core.curation.near_duplicates import NEIGHBOURS
from labeler.core.curation.neighbour_search import Found, recall
from labeler.core.curation.structural_similarity import (
    SCREENING_MARGIN,
    DssimComparer,
    ScreenedGroup,
    WindowMoments,
    screened_dssim,
    screened_group,
)
from labeler.store.curation.duplicate_searches import ComparedImage, PackedNeighbours

NEAREST_CLASSES = 5
# Images compared together: their moments take 2 MB each.
BATCH = 64
_PARTNERS = 64
_RECALL_QUERIES, _RECALL_IMAGES, _RECALL_NEIGHBOURS = 4, 150, 10
# The nearest by screening are always computed exactly.
EXACT_PAIRS = NEIGHBOURS + 10

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

    def pending(self, done: Collection[int]) -> list[list[int]]:
        """Return batches of images of one class that aren't computed yet."""
        batches = []
        for wnid in sorted(self._by_class):
            open_places = [
                place
                for place in self._by_class[wnid]
                if place < self._searched and self._images[place].id not in done
            ]
            batches += [open_places[i : i + BATCH] for i in range(0, len(open_places), BATCH)]
        return batches

    def nearest(self, batch: Sequence[int]) -> Iterator[tuple[int, Found]]:
        """Yield the neighbours of each image of a batch of one class."""
        partners = self._class_partners(self._images[batch[0]].wnid)
        screened = self._screen(batch, partners)
        chosen = [
            self._promising(query, partners, row)
            for query, row in zip(batch, screened, strict=True)
        ]
        yield from zip(batch, self._exact(batch, chosen), strict=True)

    def _promising(self, query: int, partners: Places, row: NDArray[np.float32]) -> set[int]:
        """Return the partners that are near by screening or in another metric."""
        others = np.where(partners == query, np.inf, row)
        nearest = np.argsort(others, kind="stable")[:EXACT_PAIRS]
        chosen = set(partners[nearest].tolist())
        chosen |= set(partners[others <= self._limit + SCREENING_MARGIN].tolist())
        return (chosen | self._found_elsewhere(query)) - {query}

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
            (truth,) = self._exact([own], [set(others.tolist())])
            screened = self._screen([own], others)[0]
            exact.append(truth.places[:_RECALL_NEIGHBOURS])
            found.append(others[np.argsort(screened, kind="stable")[:EXACT_PAIRS]])
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

    def _exact(self, batch: Sequence[int], chosen: Sequence[Collection[int]]) -> list[Found]:
        """Return the exact distances of each image of a batch to its chosen partners."""
        comparer = DssimComparer()
        own = [comparer.moments(self._pixels_of(query)) for query in batch]
        rows: dict[int, list[int]] = defaultdict(list)
        for row, partners in enumerate(chosen):
            for partner in partners:
                rows[partner].append(row)
        found: list[list[tuple[float, int]]] = [[] for _ in batch]
        workers = os.cpu_count() or 1
        parts = [sorted(rows)[start::workers] for start in range(workers)]
        with ThreadPoolExecutor(workers, thread_name_prefix="dssim") as pool:
            for compared in pool.map(lambda part: self._compare(own, rows, part), parts):
                for row, distance, partner in compared:
                    found[row].append((distance, partner))
        return [_found(sorted(each)) for each in found]

    def _compare(
        self, own: Sequence[WindowMoments], rows: Mapping[int, list[int]], partners: Sequence[int]
    ) -> list[tuple[int, float, int]]:
        """Compare each partner with all images that chose it, so that it is prepared once."""
        comparer, moments = DssimComparer(), WindowMoments.empty()
        compared = []
        for partner in partners:
            comparer.moments(self._pixels_of(partner), out=moments)
            compared += [(row, comparer.dssim(own[row], moments), partner) for row in rows[partner]]
        return compared

    def _pixels_of(self, place: int) -> Pixels:
        return np.asarray(self._pixels[self._rows[place]])


def _found(compared: Sequence[tuple[float, int]]) -> Found:
    places = np.array([place for _distance, place in compared], dtype=np.int64)
    return Found(places, np.array([distance for distance, _place in compared], dtype=np.float64))
