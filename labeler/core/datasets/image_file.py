"""The file of an image, as passed to the decoder."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImageFile:
    """The path of an image file, whether to apply EXIF orientation, and its hash when added.

    An image that was never read, for example one known from an exchange file, has no hash.
    """

    path: Path = field(repr=False)
    apply_exif: bool = False
    content_hash: bytes | None = field(default=None, repr=False)
