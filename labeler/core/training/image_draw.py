"""Draw the images of a training: due classes mixed with others, least shown images first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from labeler.core.hash_order import hash_key, shuffled
from labeler.core.study.entities import ImageKey
from labeler.core.training.request import TrainingOrder

# A class that was answered wrong is repeated after this many other images.
REPEAT_AFTER = 4
# After this many wrong answers in one training, a class isn't repeated until another day.
MAX_MISSES = 3


@dataclass(frozen=True, slots=True)
class PoolImage:
    """An image of the training pool, how often the labeler saw it, and when last."""

    key: ImageKey
    target: str
    times_shown: int = 0
    last_shown_at: str = ""


@dataclass(frozen=True, slots=True)
class PlannedTrainingImage:
    """An image at its position in a training, and whether it was answered."""

    trial_id: str
    position: int
    key: ImageKey
    target: str
    done: bool


def draw_training_images(
    pool: Iterable[PoolImage],
    *,
    due: Sequence[str],
    length: int,
    order: TrainingOrder,
    seed: int,
) -> tuple[ImageKey, ...]:
    """Draw up to `length` different images.

    Due classes fill up to half of the training with one image each, most urgent first, or more
    if there are no other classes. The rest rotates through all other classes, those that the
    labeler has seen least first.
    """
    by_class = _freshest_first(pool, seed)
    urgent = [wnid for wnid in due if wnid in by_class]
    others = _rotation(by_class, seed=seed, without=set(urgent))
    max_urgent = max(length - len(others), (length + 1) // 2)
    repeated = [by_class[wnid][0] for wnid in urgent[:max_urgent]]
    # Further images of an urgent class come after all other classes.
    taken = set(repeated)
    rest = [image for wnid in urgent for image in by_class[wnid] if image not in taken]
    fill = [*others, *_shown_least_first(rest, seed)]
    return _ordered(repeated, fill[: max(0, length - len(repeated))], order=order, seed=seed)


def next_repetition(
    missed: PlannedTrainingImage,
    planned: Sequence[PlannedTrainingImage],
    pool: Iterable[PoolImage],
    *,
    misses: int,
    seed: int,
) -> tuple[ImageKey, int] | None:
    """Return the image that repeats a missed class and its position, or None.

    None if the class is still to come, or was missed so often that it should wait for another
    day. A different image is used if the pool has one.
    """
    is_planned = any(image.target == missed.target and not image.done for image in planned)
    if is_planned or misses >= MAX_MISSES:
        return None
    shown = {image.key for image in planned if image.target == missed.target}
    images = _freshest_first((i for i in pool if i.target == missed.target), seed)
    by_freshness = images.get(missed.target, [])
    not_shown = [image.key for image in by_freshness if image.key not in shown]
    others = [image.key for image in by_freshness if image.key != missed.key]
    last = max(image.position for image in planned)
    chosen = next(iter([*not_shown, *others]), missed.key)
    return chosen, min(missed.position + REPEAT_AFTER + 1, last + 1)


def _freshest_first(pool: Iterable[PoolImage], seed: int) -> dict[str, list[PoolImage]]:
    by_class: dict[str, list[PoolImage]] = defaultdict(list)
    for image in pool:
        by_class[image.target].append(image)
    for images in by_class.values():
        images.sort(key=lambda image: _freshness(image, seed))
    return dict(by_class)


def _freshness(image: PoolImage, seed: int) -> tuple[int, str, bytes]:
    key = hash_key(seed, "training image", image.key.dataset, image.key.image)
    return image.times_shown, image.last_shown_at, key


def _rotation(
    by_class: Mapping[str, Sequence[PoolImage]], *, seed: int, without: Collection[str]
) -> list[PoolImage]:
    """Return one image of each class, then a second of each; the least seen classes first."""
    classes = [wnid for wnid in by_class if wnid not in without]
    in_random_order = shuffled(classes, seed=seed, purpose="training", key=lambda wnid: (wnid,))
    times_shown = {wnid: sum(image.times_shown for image in by_class[wnid]) for wnid in classes}
    least_first = sorted(in_random_order, key=times_shown.__getitem__)
    rounds = zip_longest(*(by_class[wnid] for wnid in least_first))
    return [image for each in rounds for image in each if image is not None]


def _shown_least_first(images: Iterable[PoolImage], seed: int) -> list[PoolImage]:
    return sorted(images, key=lambda image: _freshness(image, seed))


def _ordered(
    repeated: Sequence[PoolImage], fill: Sequence[PoolImage], *, order: TrainingOrder, seed: int
) -> tuple[ImageKey, ...]:
    if order is TrainingOrder.DUE_FIRST:
        return tuple(image.key for image in [*_mixed(repeated, seed), *_mixed(fill, seed)])
    mixed = _mixed([*repeated, *fill], seed)
    if order is TrainingOrder.BY_CLASS:
        mixed.sort(key=lambda image: image.target)
    return tuple(image.key for image in mixed)


def _mixed(images: Iterable[PoolImage], seed: int) -> list[PoolImage]:
    return shuffled(
        images,
        seed=seed,
        purpose="training order",
        key=lambda image: (image.key.dataset, image.key.image),
    )
