"""What an image file is: its contents' hash, its size, its format and what is odd about it."""

from dataclasses import dataclass
from pathlib import Path

from PIL.ImageFile import ImageFile

from labeler.images.file_reader import content_hash, read_bytes
from labeler.images.jpeg_header import END_OF_JPEG, PlainJpeg, plain_jpeg
from labeler.images.oddities import (
    JPEG,
    Oddity,
    format_of,
    loaded_oddities,
    plain_oddities,
    stored_oddities,
)
from labeler.images.pillow import load_pixels, open_header
from labeler.images.pixels import to_rgb


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What stays true of an image wherever its file lies; width and height are as stored."""

    content_hash: bytes
    byte_count: int
    width: int
    height: int
    format: str
    mode: str
    oddities: frozenset[Oddity]


def identify(path: Path) -> ImageFacts:
    """Read an image file once and measure it, or UnreadableImage."""
    data = read_bytes(path)
    plain = plain_jpeg(data)
    return _measured(data, path) if plain is None else _plain(plain, data, path)


def _plain(jpeg: PlainJpeg, data: bytes, path: Path) -> ImageFacts:
    return ImageFacts(
        content_hash=content_hash(data),
        byte_count=len(data),
        width=jpeg.width,
        height=jpeg.height,
        format=JPEG,
        mode=jpeg.mode,
        oddities=plain_oddities(jpeg, path),
    )


def _measured(data: bytes, path: Path) -> ImageFacts:
    image = open_header(data)
    width, height = image.size
    mode, stored = image.mode, stored_oddities(image, path)
    _require_whole(image, data)
    return ImageFacts(
        content_hash=content_hash(data),
        byte_count=len(data),
        width=width,
        height=height,
        format=format_of(image),
        mode=mode,
        oddities=stored | loaded_oddities(image),
    )


def _require_whole(image: ImageFile, data: bytes) -> None:
    """Refuse a picture cut short; a JPEG that ends with its end marker is whole.

    Others are decoded: a JPEG at an eighth of its size, which shows the same at less cost.
    """
    if format_of(image) == JPEG and data.endswith(END_OF_JPEG):
        return
    image.draft(None, (1, 1))
    load_pixels(image)
    to_rgb(image)
