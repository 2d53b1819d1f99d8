"""Compare two reviews: images whose labels are unchanged, added to, or modified."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from labeler.core.text import count_noun

Image = TypeVar("Image")


class LabelChangeKind(StrEnum):
    """How an image's correct labels changed.

    Unchanged: the same labels are correct. Added: more labels are correct. Modified: a label that
    was correct no longer is, whether or not others were added.
    """

    UNCHANGED = "unchanged"
    ADDED = "added"
    MODIFIED = "modified"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChanges:
    """The images by kind of change; every image has exactly one kind."""

    unchanged: int
    added: int
    modified: int
    images: Mapping[LabelChangeKind, tuple[Any, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """How many images have several correct labels, and how many labels these have on average.

    `images` have a correct label; `judged` images have a resolved label, correct or not.
    """

    images: int
    judged: int
    multi_label_images: int
    mean_labels_of_multi_label_images: float | None

    @property
    def share(self) -> float | None:
        """The share of multi-label images among those with a correct label."""
        return self.multi_label_images / self.images if self.images else None

    @property
    def share_of_judged(self) -> float | None:
        return self.multi_label_images / self.judged if self.judged else None

    def sentence(self) -> str:
        """Say how many images have several correct labels, out of both bases."""
        if not self.judged:
            return "No image has a resolved label."
        if not self.images:
            return f"None of the {count_noun(self.judged, 'judged image')} has a correct label."
        mean = self.mean_labels_of_multi_label_images
        average = "" if mean is None else f", {mean:.2f} each on average"
        return (
            f"{count_noun(self.multi_label_images, 'image has', 'images have')} more than one "
            f"correct label{average}: {self.share:.1%} of the {self.images:,} with a correct "
            f"label, {self.share_of_judged:.1%} of all {self.judged:,} judged."
        )


def label_changes(
    initial: Mapping[Image, frozenset[str]], final: Mapping[Image, frozenset[str]]
) -> LabelChanges:
    """Compare the correct labels of the images in both reviews."""
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
    """Count the judged images by the number of their correct labels."""
    judged = [len(labels) for labels in correct]
    sizes = [size for size in judged if size]
    several = [size for size in sizes if size > 1]
    return LabelCounts(
        images=len(sizes),
        judged=len(judged),
        multi_label_images=len(several),
        mean_labels_of_multi_label_images=sum(several) / len(several) if several else None,
    )
