"""Open and load images with Pillow, within a limit on the number of pixels."""

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import cast

from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import jpeg_factory

from labeler.images.unreadable import UnreadableImage, UnreadableReason

# Only these parsers are used: some others in Pillow start external programs.
READABLE_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM")

FORMAT_BY_EXTENSION = {
    ".jpeg": "JPEG",
    ".jpg": "JPEG",
    ".jpe": "JPEG",
    ".jfif": "JPEG",
    ".png": "PNG",
    ".apng": "PNG",
    ".gif": "GIF",
    ".webp": "WEBP",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".ppm": "PPM",
    ".pgm": "PPM",
    ".pbm": "PPM",
    ".pnm": "PPM",
}


_SIXTEEN_BIT_MODES = frozenset({"I;16", "I;16L", "I;16B", "I;16N"})
_LARGEST_SIXTEEN_BIT = 0xFFFF


def to_rgb(image: Image.Image) -> Image.Image:
    """Return the image as 8-bit RGB, as Pillow converts it, but with scaled 16-bit grey."""
    if image.mode in _SIXTEEN_BIT_MODES or image.mode == "I":
        image = _high_bytes(image)
    elif image.mode == "F":
        raise UnreadableImage(UnreadableReason.UNSUPPORTED_PIXELS)
    # Transparency is ignored, as in every published evaluation; Pillow would warn about it.
    image.info.pop("transparency", None)
    return image.convert("RGB")


def _high_bytes(image: Image.Image) -> Image.Image:
    """Scale 16-bit grey as Pillow scales 16-bit colour; Pillow itself would clip it."""
    wide = image.convert("I")
    smallest, largest = cast(tuple[int, int], wide.getextrema())
    if smallest < 0 or largest > _LARGEST_SIXTEEN_BIT:
        raise UnreadableImage(UnreadableReason.UNSUPPORTED_PIXELS)
    # The second lowest of the four bytes of each pixel, in the order of this machine.
    second = 1 if sys.byteorder == "little" else 2
    return Image.frombytes("L", image.size, wide.tobytes()[second::4])


# Below Pillow's own limit of about 179 million pixels, so that this limit applies.
MAX_PIXELS = 150_000_000

_JPEG = b"\xff\xd8\xff"
_EXIF_ORIENTATION = 0x0112
_UPRIGHT_ORIENTATION = 1

# Python's warning filters are global to the process, so one thread at a time may change them.
_warning_filters = threading.Lock()


def open_header(data: bytes) -> ImageFile:
    """Open an image without decoding it; refuse other files and images with too many pixels."""
    if not data:
        raise UnreadableImage(UnreadableReason.EMPTY)
    try:
        with _without_warnings():
            image = _opened(data)
    except Image.DecompressionBombError:
        raise UnreadableImage(UnreadableReason.TOO_LARGE) from None
    except Exception as error:
        # Parsers of broken headers raise exceptions of many types.
        raise UnreadableImage(UnreadableReason.NOT_AN_IMAGE) from error
    if image.width * image.height > MAX_PIXELS:
        raise UnreadableImage(UnreadableReason.TOO_LARGE)
    return image


def _opened(data: bytes) -> ImageFile:
    if data.startswith(_JPEG):
        return jpeg_factory(BytesIO(data))
    return Image.open(BytesIO(data), formats=READABLE_FORMATS)


def load_pixels(image: ImageFile) -> None:
    """Decode the pixels of an opened image, or raise UnreadableImage."""
    try:
        image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        raise UnreadableImage(UnreadableReason.TOO_LARGE) from None
    except Exception as error:
        # As above: the exceptions of decoders have no common type.
        raise UnreadableImage(UnreadableReason.TRUNCATED) from error


def orientation(image: ImageFile) -> int:
    """Return the EXIF orientation, 1 to 8; 1 (upright) if it is missing or damaged."""
    if image.format == "JPEG" and "exif" not in image.info:
        return _UPRIGHT_ORIENTATION
    try:
        with _without_warnings():
            value = image.getexif().get(_EXIF_ORIENTATION, _UPRIGHT_ORIENTATION)
    except Exception:
        # Damaged EXIF is common in old photographs and says nothing about the pixels.
        return _UPRIGHT_ORIENTATION
    return value if isinstance(value, int) and 1 <= value <= 8 else _UPRIGHT_ORIENTATION


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Suppress Pillow's warnings about large or unusual files."""
    with _warning_filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
