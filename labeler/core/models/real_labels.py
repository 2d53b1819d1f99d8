"""Reassessed labels (ReaL) of ImageNet's validation images, and accuracy by them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.errors import InputError

VALIDATION_IMAGES = 50_000
_CLASSES = 1000
_NAME = re.compile(r"ILSVRC2012_val_(\d{8})\.\w+$", re.IGNORECASE)

RealLabels = Sequence[frozenset[int]]


@dataclass(frozen=True, slots=True)
class RealAccuracy:
    """Accuracy by reassessed labels, over the images that have any."""

    right: int
    images: int
    excluded: int

    @property
    def accuracy(self) -> float | None:
        return self.right / self.images if self.images else None


def parse_real_labels(document: object, *, file: str) -> RealLabels:
    """Return the labels of each validation image by number; an empty set excludes the image."""
    if not isinstance(document, list) or len(document) != VALIDATION_IMAGES:
        raise InputError(
            f"the file must be a list of {VALIDATION_IMAGES:,} lists of class indices.", file=file
        )
    for number, labels in enumerate(document, start=1):
        if not isinstance(labels, list) or not all(map(_is_class, labels)):
            problem = f"entry {number} is not a list of class indices from 0 to {_CLASSES - 1}."
            raise InputError(problem, file=file)
    return [frozenset(labels) for labels in document]


def validation_number(name: str) -> int | None:
    """Return the number of an ImageNet validation file by its name in any folder, from 1."""
    found = _NAME.search(name)
    number = int(found.group(1)) if found is not None else 0
    return number if 1 <= number <= VALIDATION_IMAGES else None


def real_accuracy(
    names: Sequence[str], first_labels: Sequence[int | None], real: RealLabels
) -> RealAccuracy:
    """Compute accuracy over the validation images with a prediction and a reassessed label.

    Images are matched by their number, never by their position in a list.
    """
    right = images = excluded = 0
    for name, label in zip(names, first_labels, strict=True):
        number = validation_number(name)
        if number is None or label is None:
            continue
        accepted = real[number - 1]
        if not accepted:
            excluded += 1
            continue
        images += 1
        right += label in accepted
    return RealAccuracy(right, images, excluded)


def _is_class(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _CLASSES
