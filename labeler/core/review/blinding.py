"""Labels to judge without a trace of where they came from: pooled, deduplicated, shuffled.

What goes in here is already without a source. Every order is drawn by hash from the plan's seed
and the things themselves, so that who proposed a label, and how many did, can't move it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from labeler.core.hash_order import derived_seed, hash_key, shuffled
from labeler.core.study.entities import ImageKey, Stage

# Places are drawn below this; a planned repeat comes half a plan after its first asking.
_PLACES = 1 << 61


@dataclass(frozen=True, slots=True, order=True)
class ImageLabelPair:
    """An image and a label that someone gave it: what is judged."""

    image: ImageKey
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewVisit:
    """An image before one reviewer: the id that represents it, and its place in their order."""

    visit_id: str
    reviewer: str
    image: ImageKey
    place: int


def pool_pairs(*proposals: Iterable[ImageLabelPair]) -> frozenset[ImageLabelPair]:
    """Every pair once, however many proposed it."""
    return frozenset(pair for proposed in proposals for pair in proposed)


def review_visit(seed: int, *, stage: Stage, reviewer: str, image: ImageKey) -> ReviewVisit:
    """A reviewer's visit to an image, at a place that only the seed decides."""
    parts = (stage, reviewer, image.dataset, image.image)
    return ReviewVisit(
        visit_id=str(UUID(bytes=hash_key(seed, "visit", *parts)[:16])),
        reviewer=reviewer,
        image=image,
        place=derived_seed(seed, "place of visit", *parts) % _PLACES,
    )


def repeat_visit(seed: int, *, stage: Stage, reviewer: str, pair: ImageLabelPair) -> ReviewVisit:
    """The second asking of one pair, half a plan after the first."""
    image = pair.image
    first = review_visit(seed, stage=stage, reviewer=reviewer, image=image)
    parts = (stage, reviewer, image.dataset, image.image, pair.label)
    return ReviewVisit(
        visit_id=str(UUID(bytes=hash_key(seed, "repeated visit", *parts)[:16])),
        reviewer=reviewer,
        image=image,
        place=first.place + _PLACES // 2,
    )


def label_order(visit_id: str, labels: Iterable[str]) -> tuple[str, ...]:
    """The order in which a visit's labels are listed: it means nothing."""
    return tuple(_by_visit(labels, purpose=f"labels of visit {visit_id}"))


def tile_order(label: str, visit_ids: Iterable[str]) -> tuple[str, ...]:
    """The order in which the images of a label stand in the grid: it means nothing either."""
    return tuple(_by_visit(visit_ids, purpose=f"tiles of {label}"))


def held_for_second_round(label: str, visit_ids: Iterable[str], *, count: int) -> tuple[str, ...]:
    """Which images of a label wait for the round in which others are asked again."""
    if not count:
        return ()
    drawn = _by_visit(sorted(visit_ids), purpose=f"held back of {label}")
    return tuple(drawn[:count])


def _by_visit(things: Iterable[str], *, purpose: str) -> list[str]:
    # A visit's id is drawn from the plan's seed, so that no other seed is needed.
    return shuffled(things, seed=0, purpose=purpose, key=lambda thing: (thing,))
