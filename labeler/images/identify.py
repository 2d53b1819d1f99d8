"""What an image file is: its contents' hash, its size, its format and what is odd about it."""

from dataclasses import dataclass
from pathlib import Path

from PIL.ImageFile import ImageFile

from labeler.images.file_reader import content_hash, read_image_bytes
from labeler.images.jpeg_header import JPEG_END_MARKER, PlainJpeg, parse_plain_jpeg
from labeler.images.oddities import (
    JPEG_FORMAT,
    Oddity,
    format_of,
    jpeg_oddities,
    loaded_oddities,
    stored_oddities,
)
from labeler.images.pillow import load_pixels, open_header
from labeler.images.pixels import to_rgb


@dataclass(frozen=True, slots=True)
class ImageFileFacts:
    """What stays true of an image wherever its file lies; width and height are as stored."""

    content_hash: bytes
    byte_count: int
    width: int
    height: int
    format: str
    mode: str
    oddities: frozenset[Oddity]


def identify_image(path: Path) -> ImageFileFacts:
    """Read an image file once and measure it, or UnreadableImage."""
    data = read_image_bytes(path)
    plain = parse_plain_jpeg(data)
    return _decoded_facts(data, path) if plain is None else _plain_jpeg_facts(plain, data, path)


def _plain_jpeg_facts(jpeg: PlainJpeg, data: bytes, path: Path) -> ImageFileFacts:
    return ImageFileFacts(
        content_hash=content_hash(data),
        byte_count=len(data),
        width=jpeg.width,
        height=jpeg.height,
        format=JPEG_FORMAT,
        mode=jpeg.mode,
        oddities=jpeg_oddities(jpeg, path),
    )


def _decoded_facts(data: bytes, path: Path) -> ImageFileFacts:
    image = open_header(data)
    width, height = image.size
    mode, stored = image.mode, stored_oddities(image, path)
    _require_whole(image, data)
    return ImageFileFacts(
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
    if format_of(image) == JPEG_FORMAT and data.endswith(JPEG_END_MARKER):
        return
    image.draft(None, (1, 1))
    load_pixels(image)
    to_rgb(image)
