"""Search a study's images for near-duplicates, metric by metric; resumable at any point."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labeler.app.curation.dssim_search import DssimSearch
from labeler.app.curation.duplicate_findings import duplicate_findings
from labeler.app.curation.duplicate_limits import study_limits
from labeler.app.curation.feature_store import FeatureStore
from labeler.app.curation.pixel_store import PixelStore, UnreadImage
from labeler.app.datasets.image_measurement import measure_images
from labeler.app.progress import NoProgress, ProgressReporter
from labeler.core.curation.eligibility import can_become_eligible
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.fingerprints import (
    block_means,
    bound_on_means,
    pixel_distance,
    similar_hashes,
)
from labeler.core.curation.near_duplicates import NEIGHBOURS, SEARCHED_METRICS
from labeler.core.curation.neighbour_search import SearchedVectors, recall
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import DatasetRole
from labeler.store.curation.duplicate_searches import (
    ComparedImage,
    PackedNeighbours,
    SearchRecord,
    pack_neighbours,
)
from labeler.store.study_store import StudyStore, Transaction

NOTHING_TO_COMPARE = "There are no images to compare. Add a dataset or a pool with image files."
MODEL_NEEDED = "The metric `features` needs a model. Choose one of the study's models."

_BLOCK = 512
_HASH_BLOCK = 2048
# Nearest by block means, of which the nearest by pixels are kept.
_RERANKED = 2 * NEIGHBOURS
_RECALL_QUERIES, _RECALL_IMAGES = 20, 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """What to search: `datasets` are those whose images get neighbours, among all of the study.

    Without datasets these are the pools and the evaluation datasets.
    """

    metrics: tuple[DuplicateMetric, ...] = (DuplicateMetric.L2, DuplicateMetric.DSSIM)
    datasets: tuple[str, ...] = ()
    model: ModelSpec | None = None
    limits: dict[DuplicateMetric, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport:
    """What a search did: the images, those that can't be read, and a record for each metric."""

    images: int
    compared: int
    unread: tuple[UnreadImage, ...]
    records: tuple[SearchRecord, ...]


@dataclass(frozen=True, eq=False)
class SearchScope:
    """The images of a search; neighbours are searched for those in `searched`."""

    images: tuple[ComparedImage, ...]
    searched: NDArray[np.bool_]

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        return np.array([image.id for image in self.images], dtype=np.int64)

    @property
    def digest(self) -> str:
        """Changes whenever an image is added, removed or replaced."""
        text = hashlib.sha256()
        for image, searched in zip(self.images, self.searched, strict=True):
            text.update(f"{image.id} {int(searched)} {image.wnid} ".encode())
            text.update(image.file.content_hash or b"")
        return text.hexdigest()


def search_near_duplicates(
    store: StudyStore, options: SearchOptions, *, progress: ProgressReporter | None = None
) -> SearchReport:
    """Search the metrics of the options, or continue where an earlier search stopped."""
    reporter = progress or NoProgress()
    _require_valid(options)
    scope = searched_images(store, options.datasets, reporter)
    pixels = PixelStore(store.folder.near_duplicates)
    unread = pixels.fill(scope.images, reporter)
    run = DuplicateSearch(store, readable_scope(scope, pixels), pixels, reporter)
    records = tuple(
        run.search(metric, options) for metric in SEARCHED_METRICS if metric in options.metrics
    )
    with store.write() as study:
        study.near_duplicates.recompute_sets()
    return SearchReport(
        images=len(run.scope.images),
        compared=int(run.scope.searched.sum()),
        unread=tuple(unread),
        records=records,
    )


def _require_valid(options: SearchOptions) -> None:
    if DuplicateMetric.FEATURES in options.metrics and options.model is None:
        raise RefusedError(MODEL_NEEDED, by_command="Use --model NAME.")
    for metric in options.metrics:
        if metric not in SEARCHED_METRICS:
            raise RefusedError(f"The metric '{metric}' is given by people and can't be searched.")


def searched_images(
    store: StudyStore, datasets: Sequence[str], progress: ProgressReporter
) -> SearchScope:
    """Return the study's images, after measuring those that were imported by name only."""
    with store.read() as study:
        known = study.datasets.all()
        for name in datasets:
            study.datasets.definition(name)
    for dataset in known:
        if dataset.complete:
            measure_images(store, dataset.name, progress)
    chosen = set(datasets) or {
        d.name for d in known if d.role in (DatasetRole.POOL, DatasetRole.EVALUATION)
    }
    with store.read() as study:
        images = tuple(i for i in study.duplicate_searches.images() if i.file.content_hash)
    searched = np.array([image.key.dataset in chosen for image in images], dtype=bool)
    if not searched.any():
        raise RefusedError(NOTHING_TO_COMPARE)
    return SearchScope(images, searched)


def readable_scope(scope: SearchScope, pixels: PixelStore) -> SearchScope:
    """Return the images whose pixels are stored, those that are searched first."""
    kept = [n for n, image in enumerate(scope.images) if pixels.has(image)]
    kept.sort(key=lambda n: not scope.searched[n])
    return SearchScope(tuple(scope.images[n] for n in kept), scope.searched[kept])


class DuplicateSearch:
    """Searches one metric after the other in the same images."""

    def __init__(
        self,
        store: StudyStore,
        scope: SearchScope,
        pixels: PixelStore,
        progress: ProgressReporter,
    ) -> None:
        self._store = store
        self.scope = scope
        self._pixel_store = pixels
        self._progress = progress
        self._rows = pixels.places(scope.images)
        self._pixels = pixels.pixels()
        self._count = int(scope.searched.sum())

    def search(self, metric: DuplicateMetric, options: SearchOptions) -> SearchRecord:
        """Search one metric and return its record."""
        search = {
            DuplicateMetric.L2: self._search_pixels,
            DuplicateMetric.FEATURES: self._search_features,
            DuplicateMetric.DSSIM: self._search_dssim,
        }[metric]
        return search(options)

    def _search_pixels(self, options: SearchOptions) -> SearchRecord:
        metric = DuplicateMetric.L2
        limit = self._limit(metric, options)
        record = self._begin(metric, limit, {})
        self._find_copies()
        vectors = SearchedVectors.of(block_means(self._pixel_store.sums()[self._rows]))
        for first, last in self._blocks(metric, "Comparing pixels of images"):
            near = vectors.nearest(first, last, count=_RERANKED, within=bound_on_means(limit))
            found = {
                int(self.scope.ids[first + offset]): self._by_pixels(
                    first + offset, places.places, limit
                )
                for offset, places in enumerate(near)
            }
            self._put(metric, found, last - first)
        return self._finish(record, self._pixel_recall(vectors))

    def _by_pixels(self, query: int, places: NDArray[np.int64], limit: float) -> PackedNeighbours:
        """Return the nearest by exact pixel distance, and all within the limit."""
        own = np.asarray(self._pixels[self._rows[query]])
        distances = np.array(
            [pixel_distance(own, self._pixels[self._rows[p]]) for p in places], dtype=np.float64
        )
        return _packed(self.scope, places, distances, limit)

    def _find_copies(self) -> None:
        """Store the pairs with nearly equal perceptual hashes first, so that copies never wait."""
        metric, hashes = DuplicateMetric.L2, self._pixel_store.hashes()[self._rows]
        with self._store.read() as study:
            done = study.duplicate_searches.computed(metric)
        if len(done) >= self._count:
            return
        self._progress.start("Looking for copies of images", self._count)
        for first in range(0, self._count, _HASH_BLOCK):
            last = min(first + _HASH_BLOCK, self._count)
            found: dict[int, list[tuple[int, float]]] = {}
            for one, other in similar_hashes(np.asarray(hashes), first, last):
                distance = float(
                    pixel_distance(self._pixels[self._rows[one]], self._pixels[self._rows[other]])
                )
                ids = int(self.scope.ids[one]), int(self.scope.ids[other])
                found.setdefault(ids[0], []).append((ids[1], distance))
            self._put_copies({number: near for number, near in found.items() if number not in done})
            self._progress.advance(last - first)

    def _put_copies(self, found: dict[int, list[tuple[int, float]]]) -> None:
        packed = {
            number: pack_neighbours(*zip(*sorted(near, key=lambda n: (n[1], n[0])), strict=True))
            for number, near in found.items()
        }
        with self._store.write() as study:
            study.duplicate_searches.put_neighbours(DuplicateMetric.L2, packed, complete=False)

    def _pixel_recall(self, vectors: SearchedVectors) -> float:
        """Measure how many of the nearest by pixels are among the nearest by block means.

        On a sample: the nearest of some images among others, compared pixel by pixel.
        """
        drawn = random.Random(self.scope.digest)
        places = sorted(drawn.sample(range(len(self._rows)), min(_RECALL_IMAGES, len(self._rows))))
        queries = sorted(drawn.sample(range(len(places)), min(_RECALL_QUERIES, len(places))))
        sample = SearchedVectors.of(vectors.vectors[places])
        found, exact = [], []
        self._progress.start("Measuring the recall", len(queries))
        for query in queries:
            own = np.asarray(self._pixels[self._rows[places[query]]])
            distances = np.array(
                [pixel_distance(own, self._pixels[self._rows[p]]) for p in places], dtype=float
            )
            distances[query] = np.inf
            exact.append(np.argsort(distances, kind="stable")[: min(NEIGHBOURS, len(places) - 1)])
            (near,) = sample.nearest(query, query + 1, count=_RERANKED)
            order = np.argsort(distances[near.places], kind="stable")
            found.append(near.places[order][:NEIGHBOURS])
            self._progress.advance()
        return recall(found, exact)

    def _search_features(self, options: SearchOptions) -> SearchRecord:
        metric = DuplicateMetric.FEATURES
        assert options.model is not None, "the options were checked"
        features = FeatureStore(self._pixel_store.folder, options.model)
        vectors = features.fill(self._pixel_store, self.scope.images, self._progress)
        limit = options.limits.get(metric) or features.measured_limit(
            self._pixels, self._rows, self._progress
        )
        record = self._begin(
            metric, limit, {"model": options.model.model, "weights": features.weights_hash}
        )
        searched = SearchedVectors.of(vectors)
        for first, last in self._blocks(metric, "Comparing features of images"):
            near = searched.nearest(first, last, count=NEIGHBOURS, within=limit)
            found = {
                int(self.scope.ids[first + offset]): _packed(
                    self.scope, places.places, places.distances, limit
                )
                for offset, places in enumerate(near)
            }
            self._put(metric, found, last - first)
        # Every neighbour is found: the search is exact.
        return self._finish(record, 1.0)

    def _search_dssim(self, options: SearchOptions) -> SearchRecord:
        metric = DuplicateMetric.DSSIM
        limit = self._limit(metric, options)
        record = self._begin(metric, limit, {})
        with self._store.read() as study:
            done = study.duplicate_searches.computed(metric) | hopeless_candidates(study)
            others = [
                study.duplicate_searches.neighbours(other)
                for other in (DuplicateMetric.L2, DuplicateMetric.FEATURES)
            ]
        search = DssimSearch(
            images=self.scope.images,
            searched=self._count,
            pixels=self._pixels,
            rows=self._rows,
            taxonomy=self._store.taxonomy,
            others=others,
            limit=limit,
        )
        pending = search.pending(done)
        self._progress.start("Comparing the structure of images", sum(map(len, pending)))
        for batch in pending:
            found = {
                int(self.scope.ids[query]): _packed(self.scope, near.places, near.distances, limit)
                for query, near in search.nearest(batch)
            }
            self._put(metric, found, len(batch))
        return self._finish(record, search.measured_recall(self.scope.digest))

    def _limit(self, metric: DuplicateMetric, options: SearchOptions) -> float:
        if metric in options.limits:
            return options.limits[metric]
        with self._store.read() as study:
            return study_limits(study)[metric]

    def _begin(
        self, metric: DuplicateMetric, limit: float, parameters: dict[str, object]
    ) -> SearchRecord:
        """Begin or resume; a search within a larger limit has all pairs of a smaller one."""
        same = {**parameters, "images": self.scope.digest}
        with self._store.write() as study:
            known = study.duplicate_searches.records().get(metric)
            before = dict(known.parameters) if known is not None else {}
            within = before.pop("found_within", limit)
            if before != same or within < limit:
                within = limit
            return study.duplicate_searches.begin(
                metric,
                limit=limit,
                parameters={**same, "found_within": within},
                images=self._count,
            )

    def _blocks(self, metric: DuplicateMetric, what: str) -> Iterator[tuple[int, int]]:
        """Yield the blocks of images that aren't computed yet, after what was done before."""
        with self._store.read() as study:
            done = study.duplicate_searches.computed(metric)
        blocks = [
            (first, min(first + _BLOCK, self._count)) for first in range(0, self._count, _BLOCK)
        ]
        pending = [
            (first, last)
            for first, last in blocks
            if not done.issuperset(map(int, self.scope.ids[first:last]))
        ]
        self._progress.start(what, sum(last - first for first, last in pending))
        yield from pending

    def _put(self, metric: DuplicateMetric, found: dict[int, PackedNeighbours], steps: int) -> None:
        with self._store.write() as study:
            study.duplicate_searches.put_neighbours(metric, found)
        self._progress.advance(steps)

    def _finish(self, record: SearchRecord, found_share: float | None) -> SearchRecord:
        with self._store.write() as study:
            study.duplicate_searches.finish(record.metric, recall=found_share)
            study.audit.record(
                "near-duplicates searched",
                metric=record.metric,
                images=self._count,
                limit=record.limit,
                recall=found_share,
            )
            return study.duplicate_searches.records()[record.metric]


def hopeless_candidates(study: Transaction) -> set[int]:
    """Return the candidates of all pools that can't become eligible, by number."""
    ids = study.duplicate_searches.ids()
    hopeless = set()
    for pool in study.pools.names():
        candidates = study.pools.candidates(pool)
        findings = duplicate_findings(study, pool, candidates)
        hopeless |= {ids[c.image] for c in candidates if not can_become_eligible(c, findings)}
    return hopeless


def _packed(
    scope: SearchScope,
    places: NDArray[np.int64],
    distances: NDArray[np.float64],
    limit: float,
) -> PackedNeighbours:
    """Return the nearest, and all within the limit, in order."""
    order = np.lexsort((scope.ids[places], distances))
    kept = order[: max(NEIGHBOURS, int(np.count_nonzero(distances <= limit)))]
    return pack_neighbours(scope.ids[places[kept]], distances[kept])
