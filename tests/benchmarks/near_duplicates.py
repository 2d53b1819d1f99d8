"""Near-duplicates among 100,000 images, next to the bare matrix products; and SSIM pairs a second.

The fingerprints are drawn at random, and for some images a near copy is planted. Some blocks of
queries are searched among all images, and the time is that of all blocks.
"""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from skimage.metrics import structural_similarity

from labeler.app.curation.dssim_search import DssimSearch
from labeler.core.classes.taxonomy import load_default
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.fingerprints import (
    BLOCK_SUMS,
    PIXEL_SHAPE,
    Pixels,
    Vectors,
    block_means,
    block_sums,
    bound_on_means,
    pixel_distance,
)
from labeler.core.curation.near_duplicates import DEFAULT_LIMITS, NEIGHBOURS
from labeler.core.curation.neighbour_search import SearchedVectors, recall
from labeler.core.curation.structural_similarity import (
    WINDOW,
    DssimComparer,
)
from labeler.core.datasets.image_file import ImageFile
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.store.curation.duplicate_searches import ComparedImage
from tests.benchmarks.table import Row

_IMAGES, _BLOCK, _TIMED_BLOCKS = 100_000, 512, 4
_FEATURES = 1280
_PICTURES, _QUERIES = 400, 20
_PAIRS, _SLOW_PAIRS = 40, 6
# Images of a class and its five nearest, of them so many candidates of the class.
_AROUND, _SHIFTS, _CLASS_CANDIDATES = 600, 6, 576


def bench_near_duplicates(images: int = _IMAGES) -> list[Row]:
    """Each metric among so many images, and how much of what is near it finds."""
    limit = bound_on_means(DEFAULT_LIMITS[DuplicateMetric.L2])
    pixels = _search(images, BLOCK_SUMS, spread=40.0, near=2.0, within=limit)
    features = _search(images, _FEATURES, spread=1.0, near=0.05, within=20.0)
    return [
        _row(f"near-duplicates of {images:,} images by pixels", pixels, _pixel_recall()),
        _row(f"near-duplicates of {images:,} images by features", features, 1.0),
    ]


def bench_ssim() -> Row:
    """Exact SSIM with a window of 35, next to scikit-image's."""
    one, other = _picture(1), _picture(2)
    comparer = DssimComparer()
    moments = comparer.moments(one), comparer.moments(other)
    ours = _each(lambda: comparer.dssim(*moments), _PAIRS)
    bare = _each(
        lambda: structural_similarity(one, other, win_size=WINDOW, channel_axis=0, data_range=255),
        _SLOW_PAIRS,
    )
    return Row(
        "SSIM of 256 × 256 RGB, window 35",
        f"{1 / ours:,.0f} pairs/s",
        f"scikit-image {1 / bare:,.0f} pairs/s",
        bare / ours,
        "10 times",
    )


_Timed = tuple[float, float, float]


def _search(images: int, length: int, *, spread: float, near: float, within: float) -> _Timed:
    """Return our seconds and those of the products alone, and the share of planted pairs found."""
    drawn = np.random.default_rng(0)
    vectors: Vectors = drawn.normal(0, spread, (images, length)).astype(np.float32)
    planted = np.arange(0, _BLOCK * _TIMED_BLOCKS, 10)
    copies = images - 1 - planted
    vectors[copies] = vectors[planted] + drawn.normal(0, near, (len(planted), length))
    searched = SearchedVectors.of(vectors)
    found = set()
    began = time.perf_counter()
    for block in range(_TIMED_BLOCKS):
        first = block * _BLOCK
        for offset, neighbours in enumerate(
            searched.nearest(first, first + _BLOCK, count=2 * NEIGHBOURS, within=within)
        ):
            found |= {(first + offset, int(p)) for p in neighbours.places[:1]}
    ours = time.perf_counter() - began
    began = time.perf_counter()
    for block in range(_TIMED_BLOCKS):
        queries = vectors[block * _BLOCK : (block + 1) * _BLOCK]
        for start in range(0, images, 8192):
            queries @ vectors[start : start + 8192].T
    bare = time.perf_counter() - began
    whole = images / (_BLOCK * _TIMED_BLOCKS)
    hits = sum((int(a), int(b)) in found for a, b in zip(planted, copies, strict=True))
    return ours * whole, bare * whole, hits / len(planted)


def _row(name: str, timed: _Timed, neighbours: float) -> Row:
    ours, bare, planted = timed
    return Row(
        name,
        f"{ours:,.0f} s, planted pairs found {planted:.0%}, recall of 30 nearest {neighbours:.1%}",
        f"matrix products alone {bare:,.0f} s",
        bare / ours,
        "all planted pairs, recall over 95 %",
    )


def _pixel_recall() -> float:
    pictures = np.stack([_picture(seed) for seed in range(_PICTURES)])
    searched = SearchedVectors.of(block_means(np.stack([block_sums(p) for p in pictures])))
    found, exact = [], []
    for query in range(_QUERIES):
        distances = np.array([pixel_distance(pictures[query], p) for p in pictures], dtype=float)
        distances[query] = np.inf
        exact.append(np.argsort(distances, kind="stable")[:NEIGHBOURS])
        (near,) = searched.nearest(query, query + 1, count=2 * NEIGHBOURS)
        order = np.argsort(distances[near.places], kind="stable")
        found.append(near.places[order][:NEIGHBOURS])
    return recall(found, exact)


def bench_screening() -> Row:
    """The DSSIM search of a class's candidates among 600 images, next to comparing every pair.

    In processor time of all threads, so that other programs matter little: the mean of batches
    and of pairs, each after one that isn't counted.
    """
    search = _class_search()
    first, *batches = search.pending(())
    list(search.nearest(first))
    seconds = sum(_cpu(lambda b=batch: list(search.nearest(b))) for batch in batches)
    ours = seconds / sum(map(len, batches))
    comparer = DssimComparer()
    moments = [comparer.moments(_picture(seed)) for seed in range(2)]
    comparer.dssim(*moments)
    bare = _cpu(lambda: [comparer.dssim(*moments) for _ in range(_PAIRS)]) / _PAIRS * _AROUND
    few, many = (ours * count / 60 for count in (10_000, 50_000))
    return Row(
        f"near-duplicates by DSSIM among {_AROUND} images each",
        f"{ours * 1000:.0f} ms of processor time a candidate, mean of {len(batches)} batches: "
        f"{few:.0f} min for 10,000, {many:.0f} min for 50,000",
        f"all pairs exactly {bare * 1000:.0f} ms, mean of {_PAIRS} pairs",
        bare / ours,
        "5 times",
    )


def _class_search() -> DssimSearch:
    """A class of candidates and originals, pictures shifted against each other."""
    pictures = [_picture(seed) for seed in range(_AROUND // _SHIFTS)]
    pixels = np.stack(
        [np.roll(p, 40 * shift, axis=2) for shift in range(_SHIFTS) for p in pictures]
    )
    taxonomy = load_default()
    images = [
        ComparedImage(
            id=number,
            key=ImageKey("pool", str(number)),
            role=DatasetRole.POOL,
            wnid=taxonomy.class_wnids[0],
            file=ImageFile(path=Path(str(number)), content_hash=None, apply_exif=True),
        )
        for number in range(_AROUND)
    ]
    return DssimSearch(
        images=images,
        searched=_CLASS_CANDIDATES,
        pixels=pixels,
        rows=np.arange(_AROUND),
        taxonomy=taxonomy,
        others=(),
        limit=DEFAULT_LIMITS[DuplicateMetric.DSSIM],
    )


def _picture(seed: int) -> Pixels:
    noise = np.random.default_rng(seed).normal(size=PIXEL_SHAPE)
    soft: NDArray[np.float64] = np.stack([gaussian_filter(channel, 6) for channel in noise])
    return ((soft - soft.min()) / np.ptp(soft) * 255).astype(np.uint8)


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _each(work: Callable[[], object], times: int) -> float:
    work()
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times
