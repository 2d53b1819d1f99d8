"""What a second review changed: images whose labels stayed, gained, or changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Image = TypeVar("Image")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChanges:
    """How many images of each sort; every image is of exactly one."""

    unchanged: int
    added: int
    modified: int


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
    """Compare the correct labels of the images that both reviews know.

    Unchanged: the same labels are correct. Added: all are that were, and more. Modified: a label
    that was correct no longer is, whether or not others were added.
    """
    unchanged = added = modified = 0
    for image, before in initial.items():
        after = final.get(image)
        if after is None:
            continue
        if after == before:
            unchanged += 1
        elif after > before:
            added += 1
        else:
            modified += 1
    return LabelChanges(unchanged=unchanged, added=added, modified=modified)


def label_counts(correct: Iterable[frozenset[str]]) -> LabelCounts:
    """Over images with at least one correct label."""
    sizes = [len(labels) for labels in correct if labels]
    several = [size for size in sizes if size > 1]
    return LabelCounts(
        images=len(sizes),
        multi_label_images=len(several),
        mean_labels_of_multi_label_images=sum(several) / len(several) if several else None,
    )
