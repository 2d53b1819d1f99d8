"""Draw the evaluation sample and the reference images from a seed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from labeler.core.hash_order import shuffled
from labeler.core.study.entities import ImageKey


@dataclass(frozen=True, slots=True)
class SampleCandidate:
    """An image that could be drawn."""

    key: ImageKey
    target: str
    content_hash: bytes | None = None
    problematic: bool = False
    in_training_pool: bool = False

    @property
    def eligible(self) -> bool:
        return not (self.problematic or self.in_training_pool)


@dataclass(frozen=True, slots=True)
class SampleShortage:
    """A class with fewer images in a dataset than requested."""

    dataset: str
    wnid: str
    wanted: int
    available: int


@dataclass(frozen=True, slots=True)
class DuplicateImage:
    """Two images with the same content, one of which must not be used."""

    sampled: ImageKey
    other: ImageKey


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """Which images to draw: `per_class` of each class from each dataset, in this order.

    `class_count` limits the sample to that many classes, drawn by the same seed. `repeats` is the
    share of the images that each labeler is asked twice. `shared_only` leaves out classes that
    don't have enough images in every dataset.
    """

    datasets: tuple[str, ...]
    per_class: int
    seed: int
    class_count: int | None = None
    repeats: float = 0.0
    shared_only: bool = False


@dataclass(frozen=True, slots=True)
class DrawnSample:
    """The drawn images in random order, their classes, and which classes had too few images."""

    images: tuple[ImageKey, ...]
    classes: tuple[str, ...]
    shortages: tuple[SampleShortage, ...]
    duplicates: tuple[DuplicateImage, ...]


def draw_sample(candidates: Iterable[SampleCandidate], request: SampleRequest) -> DrawnSample:
    """Draw a class-balanced sample; of images with the same content only the first is drawn."""
    by_class = _by_class(candidates, request)
    if request.shared_only:
        by_class = {wnid: found for wnid, found in by_class.items() if _is_shared(found, request)}
    classes = _drawn_classes(by_class, request)
    taken: dict[bytes, ImageKey] = {}
    chosen: list[ImageKey] = []
    shortages: list[SampleShortage] = []
    duplicates: list[DuplicateImage] = []
    for dataset in request.datasets:
        for wnid in classes:
            drawn, repeated = _draw_class(by_class[wnid].get(dataset, ()), request, taken)
            chosen += drawn
            duplicates += repeated
            if len(drawn) < request.per_class:
                shortages.append(SampleShortage(dataset, wnid, request.per_class, len(drawn)))
    images = _shuffled_keys(chosen, request.seed)
    return DrawnSample(images, tuple(classes), tuple(shortages), tuple(duplicates))


def labeler_order(sample: Sequence[ImageKey], *, order_seed: int) -> tuple[ImageKey, ...]:
    """Return the order in which a labeler sees the sample."""
    return tuple(shuffled(sample, seed=order_seed, purpose="labeler order", key=_parts))


def duplicates_elsewhere(
    sample: Iterable[SampleCandidate], elsewhere: Mapping[bytes, ImageKey]
) -> tuple[DuplicateImage, ...]:
    """Return images of the sample that are also in the pool or the references, possibly renamed."""
    return tuple(
        DuplicateImage(image.key, elsewhere[image.content_hash])
        for image in sample
        if image.content_hash is not None and image.content_hash in elsewhere
    )


def draw_per_class(names: Iterable[str], *, count: int, seed: int, wnid: str) -> list[str]:
    """Draw up to `count` names for one class, in drawing order."""
    return shuffled(names, seed=seed, purpose=f"per class {wnid}", key=lambda name: (name,))[:count]


def _by_class(
    candidates: Iterable[SampleCandidate], request: SampleRequest
) -> dict[str, dict[str, list[SampleCandidate]]]:
    """Return the eligible images by class and dataset; a class without any has an empty entry."""
    datasets = set(request.datasets)
    by_class: dict[str, dict[str, list[SampleCandidate]]] = defaultdict(lambda: defaultdict(list))
    for candidate in candidates:
        if candidate.key.dataset in datasets:
            drawable = by_class[candidate.target][candidate.key.dataset]
            drawable += [candidate] if candidate.eligible else []
    return by_class


def _is_shared(found: Mapping[str, Sequence[SampleCandidate]], request: SampleRequest) -> bool:
    return all(len(found.get(name, ())) >= request.per_class for name in request.datasets)


def _drawn_classes(
    by_class: Mapping[str, Mapping[str, Sequence[SampleCandidate]]], request: SampleRequest
) -> list[str]:
    """Return all classes, or the requested number of those that have eligible images."""
    if request.class_count is None:
        return sorted(by_class)
    drawable = [wnid for wnid, images in by_class.items() if any(images.values())]
    in_random_order = shuffled(
        drawable, seed=request.seed, purpose="classes", key=lambda wnid: (wnid,)
    )
    return sorted(in_random_order[: request.class_count])


def _draw_class(
    candidates: Sequence[SampleCandidate], request: SampleRequest, taken: dict[bytes, ImageKey]
) -> tuple[list[ImageKey], list[DuplicateImage]]:
    drawn: list[ImageKey] = []
    repeated: list[DuplicateImage] = []
    order = shuffled(candidates, seed=request.seed, purpose="sample", key=lambda c: _parts(c.key))
    for candidate in order:
        if len(drawn) == request.per_class:
            break
        content = candidate.content_hash
        if content is not None and content in taken:
            repeated.append(DuplicateImage(candidate.key, taken[content]))
            continue
        if content is not None:
            taken[content] = candidate.key
        drawn.append(candidate.key)
    return drawn, repeated


def _shuffled_keys(keys: Iterable[ImageKey], seed: int) -> tuple[ImageKey, ...]:
    return tuple(shuffled(keys, seed=seed, purpose="sample order", key=_parts))


def _parts(key: ImageKey) -> tuple[str, str]:
    return key.dataset, key.image
