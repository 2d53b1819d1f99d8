"""Whether labels can belong to the images they stand beside, or were shuffled on the way.

A model whose outputs are in another order than believed, or predictions in another order than the
images, agree with the targets no better than chance, not even on what kind of thing they see.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# Under so few images chance can't be told from knowledge.
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
