"""Prepare labels for blind review: pool, deduplicate and shuffle them.

The input has no sources. Every order is a hash of the plan's seed and the items, so that who
proposed a label, and how many did, can't influence it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from labeler.core.hash_order import derived_seed, hash_key, shuffled
from labeler.core.study.entities import ImageKey, Stage

# Positions are drawn below this; a repeat comes half a plan after the first visit.
VISIT_PLACES = 1 << 61


@dataclass(frozen=True, slots=True, order=True)
class ImageLabelPair:
    """An image and a proposed label: the unit of judgement."""

    image: ImageKey
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewVisit:
    """A reviewer's visit to an image: its id, and its position in the reviewer's order."""

    visit_id: str
    reviewer: str
    image: ImageKey
    place: int


def pool_pairs(*proposals: Iterable[ImageLabelPair]) -> frozenset[ImageLabelPair]:
    """Return every pair once, regardless of how many proposed it."""
    return frozenset(pair for proposed in proposals for pair in proposed)


def review_visit(seed: int, *, stage: Stage, reviewer: str, image: ImageKey) -> ReviewVisit:
    """Return a reviewer's visit to an image, at a position that depends only on the seed."""
    parts = (stage, reviewer, image.dataset, image.image)
    return ReviewVisit(
        visit_id=str(UUID(bytes=hash_key(seed, "visit", *parts)[:16])),
        reviewer=reviewer,
        image=image,
        place=derived_seed(seed, "place of visit", *parts) % VISIT_PLACES,
    )


def repeat_visit(seed: int, *, stage: Stage, reviewer: str, pair: ImageLabelPair) -> ReviewVisit:
    """Return the repeated visit for one pair, half a plan after the first."""
    image = pair.image
    first = review_visit(seed, stage=stage, reviewer=reviewer, image=image)
    parts = (stage, reviewer, image.dataset, image.image, pair.label)
    return ReviewVisit(
        visit_id=str(UUID(bytes=hash_key(seed, "repeated visit", *parts)[:16])),
        reviewer=reviewer,
        image=image,
        place=first.place + VISIT_PLACES // 2,
    )


def label_order(visit_id: str, labels: Iterable[str]) -> tuple[str, ...]:
    """Return the order in which the labels of a visit are listed; it is meaningless."""
    return tuple(_by_visit(labels, purpose=f"labels of visit {visit_id}"))


def tile_order(label: str, visit_ids: Iterable[str]) -> tuple[str, ...]:
    """Return the order of a label's images in the grid; it is meaningless."""
    return tuple(_by_visit(visit_ids, purpose=f"tiles of {label}"))


def held_for_second_round(label: str, visit_ids: Iterable[str], *, count: int) -> tuple[str, ...]:
    """Return which images of a label are held back for the round with repeats."""
    if not count:
        return ()
    drawn = _by_visit(sorted(visit_ids), purpose=f"held back of {label}")
    return tuple(drawn[:count])


def _by_visit(items: Iterable[str], *, purpose: str) -> list[str]:
    # Visit ids are derived from the plan's seed, so no other seed is needed.
    return shuffled(items, seed=0, purpose=purpose, key=lambda item: (item,))
