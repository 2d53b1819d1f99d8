"""Hidden repeats: images that a labeler is asked a second time, far from the first."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from labeler.core.hash_order import derived_seed, shuffled
from labeler.core.study.entities import ImageKey

FIRST_ASKING = 1
SECOND_ASKING = 2

# Only images of the first half can be repeated, because at least half of the sample is between.
MAX_REPEATS = 0.5


class AskedImage(NamedTuple):
    """An image in a labeler's order; `asking` is 2 where it is repeated."""

    key: ImageKey
    asking: int


def repeat_count(images: int, share: float) -> int:
    """Return how many of the images are repeated."""
    return min(round(images * share), images // 2)


def order_with_repeats(
    order: Sequence[ImageKey], *, share: float, order_seed: int
) -> tuple[AskedImage, ...]:
    """Return a labeler's order with its repeats.

    Between an image and its repeat there are at least half as many trials as the sample has
    images. Which images are repeated and where depends on the labeler.
    """
    half = len(order) // 2
    repeatable = range(len(order) - half)
    drawn = shuffled(
        repeatable, seed=order_seed, purpose="hidden repeats", key=lambda at: _parts(order[at])
    )[: repeat_count(len(order), share)]
    after: dict[int, list[ImageKey]] = defaultdict(list)
    for first in drawn:
        after[_second_place(order, first, half, order_seed)].append(order[first])
    asked: list[AskedImage] = []
    for position, key in enumerate(order):
        asked.append(AskedImage(key, FIRST_ASKING))
        asked += [AskedImage(again, SECOND_ASKING) for again in after[position]]
    return tuple(asked)


def _second_place(order: Sequence[ImageKey], first: int, half: int, order_seed: int) -> int:
    """Return the position after which the image is repeated, at random where it is far enough."""
    earliest = first + half
    draw = derived_seed(order_seed, "place of a repeat", *_parts(order[first]))
    return earliest + draw % (len(order) - earliest)


def _parts(key: ImageKey) -> tuple[str, str]:
    return key.dataset, key.image
