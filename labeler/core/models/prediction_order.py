"""In which order predictions made elsewhere stand: declared, never guessed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from labeler.core.errors import RefusedError

# A model whose outputs are in another order than believed, or predictions in another order than the
# images, agree with the targets no better than chance, not even on what kind of thing they see.
# With fewer images than this, chance can't be distinguished from knowledge.
MIN_IMAGES = 30
# So many standard deviations above chance are needed in one of two looks.
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
        """Whether neither look is better than shuffled labels would be."""
        if self.images < MIN_IMAGES:
            return False
        return not (
            _is_above(self.same_class, self.expected_class, self.images)
            or _is_above(self.same_kind, self.expected_kind, self.images)
        )


def label_alignment(targets: Indices, labels: Indices, kinds: Indices) -> LabelAlignment:
    """Compare first labels with targets; `kinds` gives the kind of each class, by index.

    What chance would give comes from how often each class occurs on either side.
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
    """How often two independent draws from both sides agree."""
    if not len(one):
        return 0.0
    shares = np.bincount(one, minlength=count) * np.bincount(other, minlength=count)
    return float(shares.sum()) / len(one) ** 2


def _is_above(agreeing: int, chance: float, images: int) -> bool:
    expected = chance * images
    spread = max(float(np.sqrt(expected * (1 - chance))), 0.5)
    return agreeing > expected + _DEVIATIONS * spread


class ImageOrder(StrEnum):
    """The orders that have a name; any other is given as a file of image names."""

    STUDY = "study"
    NAMES = "names"
    NUMBERS = "numbers"


def ordinals_in_order(names: Sequence[str], order: ImageOrder) -> list[int]:
    """The ordinals of a dataset's images in an order; `names` stand by ordinal.

    `names` goes by folder and file as text, as image folders of most libraries do. `numbers` takes
    the folders as numbers, as ImageNetV2's 0…999 are meant.
    """
    match order:
        case ImageOrder.STUDY:
            return list(range(len(names)))
        case ImageOrder.NAMES:
            return sorted(range(len(names)), key=lambda n: names[n].split("/"))
        case ImageOrder.NUMBERS:
            return sorted(range(len(names)), key=lambda n: _by_number(names[n]))


def ordinals_by_list(names: Sequence[str], listed: Sequence[str]) -> list[int]:
    """The ordinals of a dataset's images as a list names them: all, and each once."""
    places = {name: ordinal for ordinal, name in enumerate(names)}
    for line, name in enumerate(listed, start=1):
        if name not in places:
            raise RefusedError(f"Line {line} of the order, '{name}', is no image of the dataset.")
    twice = [name for name, count in Counter(listed).items() if count > 1]
    if twice:
        raise RefusedError(f"The order names '{twice[0]}' twice.")
    require_image_count(len(listed), len(names), what="The order")
    return [places[name] for name in listed]


def require_image_count(given: int, images: int, *, what: str) -> None:
    """Refuse what isn't exactly as long as the dataset."""
    if given != images:
        raise RefusedError(
            f"{what} has {given:,} entries, but the dataset has {images:,} images: they can't be "
            "brought together. Nothing was imported."
        )


def _by_number(name: str) -> tuple[int, list[str]]:
    folder, _, rest = name.partition("/")
    if not folder.isdigit() or not rest:
        raise RefusedError(
            f"The order 'numbers' needs folders 0, 1, 2 …, but there is '{name}': say in which "
            "other order the predictions stand.",
            by_command="`--order` says it.",
        )
    return int(folder), rest.split("/")
