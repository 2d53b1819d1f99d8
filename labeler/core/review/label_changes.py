"""What a second review changed: images whose labels stayed, gained, or changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

Image = TypeVar("Image")


class LabelChangeKind(StrEnum):
    """What became of an image's labels.

    Unchanged: the same labels are correct. Added: all are that were, and more. Modified: a label
    that was correct no longer is, whether or not others were added.
    """

    UNCHANGED = "unchanged"
    ADDED = "added"
    MODIFIED = "modified"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChanges:
    """How many images of each sort, and which; every image is of exactly one."""

    unchanged: int
    added: int
    modified: int
    images: Mapping[LabelChangeKind, tuple[Any, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How many images have more than one correct label, and how many such labels on average."""

    images: int
    multi_label_images: int
    mean_labels_of_multi_label_images: float | None

    @property
    def share(self) -> float | None:
        return self.multi_label_images / self.images if self.images else None


def label_changes(
    initial: Mapping[Image, frozenset[str]], final: Mapping[Image, frozenset[str]]
) -> LabelChanges:
    """Compare the correct labels of the images that both reviews know."""
    images: dict[LabelChangeKind, list[Image]] = {change: [] for change in LabelChangeKind}
    for image, before in initial.items():
        after = final.get(image)
        if after is not None:
            images[_change(before, after)].append(image)
    return LabelChanges(
        unchanged=len(images[LabelChangeKind.UNCHANGED]),
        added=len(images[LabelChangeKind.ADDED]),
        modified=len(images[LabelChangeKind.MODIFIED]),
        images={change: tuple(found) for change, found in images.items()},
    )


def _change(before: frozenset[str], after: frozenset[str]) -> LabelChangeKind:
    if after == before:
        return LabelChangeKind.UNCHANGED
    return LabelChangeKind.ADDED if after > before else LabelChangeKind.MODIFIED


def label_counts(correct: Iterable[frozenset[str]]) -> LabelCounts:
    """Over images with at least one correct label."""
    sizes = [len(labels) for labels in correct if labels]
    several = [size for size in sizes if size > 1]
    return LabelCounts(
        images=len(sizes),
        multi_label_images=len(several),
        mean_labels_of_multi_label_images=sum(several) / len(several) if several else None,
    )
