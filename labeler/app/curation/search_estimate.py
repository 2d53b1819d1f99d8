"""How much work a search for near-duplicates is, measured on this machine before it begins."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labeler.app.curation.dssim_search import BATCH, EXACT_PAIRS, NEAREST_CLASSES
from labeler.app.curation.duplicate_search import (
    SearchOptions,
    SearchScope,
    hopeless_candidates,
    searched_images,
)
from labeler.app.curation.pixel_store import PIXEL_BYTES, PixelStore
from labeler.app.progress import NoProgress
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.fingerprints import BLOCK_SUMS, PIXEL_SHAPE, Pixels, pixel_distance
from labeler.core.curation.near_duplicates import NEIGHBOURS
from labeler.core.curation.structural_similarity import (
    DssimComparer,
    screened_dssim,
    screened_group,
)
from labeler.store.study_store import StudyStore

# Times that depend on files and networks more than on the machine.
_READ_SECONDS = 0.012
_FEATURE_SECONDS = 0.05
_TRIED_ROWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEstimate:
    """The images of a search, what is still to read and compare, and about how long it takes."""

    images: int
    searched: int
    to_read: int
    disk_bytes: int
    pairs: dict[DuplicateMetric, int]
    seconds: dict[DuplicateMetric, float]

    @property
    def total_seconds(self) -> float:
        return sum(self.seconds.values()) + self.to_read * _READ_SECONDS


def estimate_search(store: StudyStore, options: SearchOptions) -> SearchEstimate:
    """Return what a search would do; nothing is computed or stored, apart from image hashes."""
    scope = searched_images(store, options.datasets, NoProgress())
    pixels = PixelStore(store.folder.near_duplicates)
    to_read = len(pixels.missing(scope.images))
    searched = int(scope.searched.sum())
    remaining = {metric: _remaining(store, metric, scope) for metric in options.metrics}
    pairs = {
        metric: _pairs(metric, scope, remaining[metric], store.taxonomy) for metric in remaining
    }
    return SearchEstimate(
        images=len(scope.images),
        searched=searched,
        to_read=to_read,
        disk_bytes=to_read * (PIXEL_BYTES + 2 * BLOCK_SUMS),
        pairs=pairs,
        seconds={m: _seconds(m, pairs[m], remaining[m]) for m in options.metrics},
    )


def _remaining(store: StudyStore, metric: DuplicateMetric, scope: SearchScope) -> int:
    with store.read() as study:
        record = study.duplicate_searches.records().get(metric)
        done = study.duplicate_searches.computed(metric) if record is not None else set()
        if metric is DuplicateMetric.DSSIM:
            done |= hopeless_candidates(study)
    return sum(
        1
        for image, searched in zip(scope.images, scope.searched, strict=True)
        if searched and image.id not in done
    )


def _pairs(metric: DuplicateMetric, scope: SearchScope, remaining: int, taxonomy: Taxonomy) -> int:
    if metric is not DuplicateMetric.DSSIM:
        return remaining * len(scope.images)
    sizes: dict[str, int] = {}
    for image in scope.images:
        sizes[image.wnid] = sizes.get(image.wnid, 0) + 1
    around = {
        wnid: sum(
            sizes.get(other, 0)
            for other in (wnid, *taxonomy.nearest_classes(wnid, NEAREST_CLASSES))
        )
        for wnid in sizes
    }
    whole = sum(
        around[image.wnid]
        for image, searched in zip(scope.images, scope.searched, strict=True)
        if searched
    )
    return whole * remaining // max(int(scope.searched.sum()), 1)


def _seconds(metric: DuplicateMetric, pairs: int, images: int) -> float:
    """Time a little of each kind of work, and multiply."""
    drawn = np.random.default_rng(0).integers(0, 255, (2, *PIXEL_SHAPE), dtype=np.uint8)
    if metric is DuplicateMetric.DSSIM:
        return _dssim_seconds(drawn, pairs, images)
    vectors = np.random.default_rng(0).normal(size=(_TRIED_ROWS, BLOCK_SUMS)).astype(np.float32)
    product = _timed(lambda: vectors[:256] @ vectors.T) / (256 * _TRIED_ROWS)
    if metric is DuplicateMetric.FEATURES:
        return pairs * product * 2 + images * _FEATURE_SECONDS
    exact = _timed(lambda: pixel_distance(drawn[0], drawn[1])) * 2 * NEIGHBOURS
    return pairs * product * 2 + images * exact


def _dssim_seconds(drawn: Pixels, pairs: int, images: int) -> float:
    """Time the screening, the exact comparisons, and what prepares an image for both."""
    many, comparer = drawn.repeat(16, axis=0), DssimComparer()
    moments = [comparer.moments(image) for image in drawn]
    group = screened_group(many)
    prepared = _timed(lambda: screened_group(many)) / len(many)
    prepared += _timed(lambda: comparer.moments(drawn[0], out=moments[0]))
    screening = _timed(lambda: screened_dssim(group, group)) / len(many) ** 2
    exact = _timed(lambda: comparer.dssim(*moments)) * EXACT_PAIRS / (os.cpu_count() or 1)
    return pairs * (screening + prepared / BATCH) + images * exact


def _timed(work: Callable[[], object]) -> float:
    """Return the seconds of the second run, without what only happens once."""
    work()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
