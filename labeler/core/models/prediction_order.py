"""The order of imported predictions: declared by the user, never guessed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from labeler.core.errors import RefusedError

# If the outputs or the images are in another order than declared, labels agree with the targets no
# better than chance, not even in the kind of object. With fewer images than this, chance can't be
# distinguished from skill.
MIN_IMAGES = 30
# One of the two comparisons must be this many standard deviations above chance.
_DEVIATIONS = 4.0

Indices = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAlignment:
    """How often labels equal the targets, and how often they are at least of the same kind."""

    images: int
    same_class: int
    same_kind: int
    expected_class: float
    expected_kind: float

    @property
    def is_chance(self) -> bool:
        """Whether neither comparison is better than shuffled labels."""
        if self.images < MIN_IMAGES:
            return False
        return not (
            _is_above(self.same_class, self.expected_class, self.images)
            or _is_above(self.same_kind, self.expected_kind, self.images)
        )


def label_alignment(targets: Indices, labels: Indices, kinds: Indices) -> LabelAlignment:
    """Compare first labels with targets; `kinds` gives the kind of each class, by index.

    Chance is estimated from how often each class occurs in targets and labels.
    """
    images = len(targets)
    target_kinds, label_kinds = kinds[targets], kinds[labels]
    return LabelAlignment(
        images=images,
        same_class=int(np.count_nonzero(targets == labels)),
        same_kind=int(np.count_nonzero(target_kinds == label_kinds)),
        expected_class=_chance(targets, labels, len(kinds)),
        expected_kind=_chance(target_kinds, label_kinds, int(kinds.max()) + 1),
    )


def _chance(one: Indices, other: Indices, count: int) -> float:
    """Return how often independent draws from both agree."""
    if not len(one):
        return 0.0
    shares = np.bincount(one, minlength=count) * np.bincount(other, minlength=count)
    return float(shares.sum()) / len(one) ** 2


def _is_above(agreeing: int, chance: float, images: int) -> bool:
    expected = chance * images
    spread = max(float(np.sqrt(expected * (1 - chance))), 0.5)
    return agreeing > expected + _DEVIATIONS * spread


class ImageOrder(StrEnum):
    """The named orders; any other order is given as a file of image names."""

    STUDY = "study"
    NAMES = "names"
    NUMBERS = "numbers"


def ordinals_in_order(names: Sequence[str], order: ImageOrder) -> list[int]:
    """Return the ordinals of a dataset's images in an order; `names` are by ordinal.

    `NAMES` sorts by folder and file as text, as the image folders of most libraries do. `NUMBERS`
    sorts folders as numbers, as intended for ImageNetV2's 0…999.
    """
    match order:
        case ImageOrder.STUDY:
            return list(range(len(names)))
        case ImageOrder.NAMES:
            return sorted(range(len(names)), key=lambda n: names[n].split("/"))
        case ImageOrder.NUMBERS:
            return sorted(range(len(names)), key=lambda n: _by_number(names[n]))


def ordinals_by_list(names: Sequence[str], listed: Sequence[str]) -> list[int]:
    """Return the ordinals of a dataset's images in the listed order; each image exactly once."""
    ordinals = {name: ordinal for ordinal, name in enumerate(names)}
    for line, name in enumerate(listed, start=1):
        if name not in ordinals:
            raise RefusedError(
                f"Line {line} of the order, '{name}', is not an image of the dataset."
            )
    duplicates = [name for name, count in Counter(listed).items() if count > 1]
    if duplicates:
        raise RefusedError(f"The order contains '{duplicates[0]}' twice.")
    require_image_count(len(listed), len(names), what="The order")
    return [ordinals[name] for name in listed]


def require_image_count(given: int, images: int, *, what: str) -> None:
    """Refuse input with another length than the dataset."""
    if given != images:
        raise RefusedError(
            f"{what} has {given:,} entries, but the dataset has {images:,} images, so they "
            "can't be matched. Nothing was imported."
        )


def _by_number(name: str) -> tuple[int, list[str]]:
    folder, _, rest = name.partition("/")
    if not folder.isdigit() or not rest:
        raise RefusedError(
            f"The order 'numbers' needs folders 0, 1, 2 …, but the dataset has '{name}'. "
            "Specify the order of the predictions.",
            by_command="Use `--order`.",
        )
    return int(folder), rest.split("/")
