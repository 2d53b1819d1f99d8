"""A file of an image as a study knows it, on the way to the decoder and no further."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImageFile:
    """Where the file is, whether its orientation counts, and the hash of what it held when added.

    An image whose contents no one has read yet, as one that an exchange file names, has no hash.
    """

    path: Path = field(repr=False)
    apply_exif: bool = False
    content_hash: bytes | None = field(default=None, repr=False)
