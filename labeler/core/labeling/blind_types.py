"""Types for a labeler's screen; they have no field for what a labeler must not know.

An image is known here by its trial's random id. The place of its file goes from the store to the
decoder and no further, since a file's name often is the target.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Pixels = TypeVar("Pixels")


@dataclass(frozen=True, slots=True)
class BlindTrial:
    """A trial by its position in the labeler's order, from 1, and its state."""

    trial_id: str
    position: int
    total: int
    answered: bool = False
    flagged: bool = False
    marked: bool = False

    @property
    def waits(self) -> bool:
        """Whether the labeler still has to answer it; a flagged image may stay unanswered."""
        return not (self.answered or self.flagged)

    @property
    def is_set_aside(self) -> bool:
        """Whether it was flagged instead of answered."""
        return self.flagged and not self.answered


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """A trial's image as its file holds it, on the way from the store to the decoder."""

    data: bytes = field(repr=False)
    apply_exif: bool


@dataclass(frozen=True, slots=True)
class BlindImage(Generic[Pixels]):
    """A trial's image after decoding: pixels, and nothing that says where they came from."""

    trial_id: str
    pixels: Pixels = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProgress:
    """A labeler's progress; `set_aside` counts images flagged instead of answered."""

    answered: int
    set_aside: int
    total: int

    @property
    def left(self) -> int:
        return self.total - self.answered - self.set_aside
