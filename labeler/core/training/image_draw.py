"""Drawing the images of a training: due classes mixed with others, fresh images first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from labeler.core.hash_order import hash_key, shuffled
from labeler.core.study.entities import ImageKey
from labeler.core.training.request import TrainingOrder

# A class that was missed comes again after this many other images.
REPEAT_AFTER = 4
# After so many misses in one training a class waits for another day.
MAX_MISSES = 3


@dataclass(frozen=True, slots=True)
class PoolImage:
    """An image of the training pool, and how often and when the labeler met it last."""

    key: ImageKey
    target: str
    times_shown: int = 0
    last_shown_at: str = ""


@dataclass(frozen=True, slots=True)
class PlannedTrainingImage:
    """An image at its place in a training, and whether it is answered."""

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
    """Draw up to `length` images, none of them twice.

    Classes that are due take up to half of the places, one each and the most urgent first; more
    where there is nothing else. The other places go round among all classes, those that the
    labeler has met least first.
    """
    by_class = _freshest_first(pool, seed)
    urgent = [wnid for wnid in due if wnid in by_class]
    others = _going_round(by_class, seed=seed, without=set(urgent))
    room = max(length - len(others), (length + 1) // 2)
    repeated = [by_class[wnid][0] for wnid in urgent[:room]]
    # What an urgent class has beyond its one place comes after everyone's turn.
    taken = set(repeated)
    rest = [image for wnid in urgent for image in by_class[wnid] if image not in taken]
    fill = [*others, *_met_least_first(rest, seed)]
    return _ordered(repeated, fill[: max(0, length - len(repeated))], order=order, seed=seed)


def next_repetition(
    missed: PlannedTrainingImage,
    planned: Sequence[PlannedTrainingImage],
    pool: Iterable[PoolImage],
    *,
    misses: int,
    seed: int,
) -> tuple[ImageKey, int] | None:
    """The image with which a missed class comes again, and its position; None if it needn't.

    It needn't where the class still comes by itself, or was missed so often that it had better
    wait for another day. It is another image wherever the pool has one.
    """
    waits = any(image.target == missed.target and not image.done for image in planned)
    if waits or misses >= MAX_MISSES:
        return None
    met = {image.key for image in planned if image.target == missed.target}
    images = _freshest_first((i for i in pool if i.target == missed.target), seed)
    by_freshness = images.get(missed.target, [])
    unmet = [image.key for image in by_freshness if image.key not in met]
    others = [image.key for image in by_freshness if image.key != missed.key]
    last = max(image.position for image in planned)
    chosen = next(iter([*unmet, *others]), missed.key)
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


def _going_round(
    by_class: Mapping[str, Sequence[PoolImage]], *, seed: int, without: Collection[str]
) -> list[PoolImage]:
    """One image of each class, then a second of each, the classes met least in front."""
    classes = [wnid for wnid in by_class if wnid not in without]
    in_random_order = shuffled(classes, seed=seed, purpose="training", key=lambda wnid: (wnid,))
    met = {wnid: sum(image.times_shown for image in by_class[wnid]) for wnid in classes}
    in_turn = sorted(in_random_order, key=met.__getitem__)
    rounds = zip_longest(*(by_class[wnid] for wnid in in_turn))
    return [image for each in rounds for image in each if image is not None]


def _met_least_first(images: Iterable[PoolImage], seed: int) -> list[PoolImage]:
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
