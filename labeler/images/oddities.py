"""Unusual properties of readable images, which a summary lists."""

from enum import StrEnum
from pathlib import PurePath

from PIL.ImageFile import ImageFile

from labeler.images.jpeg_header import PlainJpeg
from labeler.images.pillow import FORMAT_BY_EXTENSION, orientation


class Oddity(StrEnum):
    """A property in which an image differs from a plain 8-bit colour photograph."""

    WRONG_EXTENSION = "wrong_extension"
    CMYK = "cmyk"
    GREYSCALE = "greyscale"
    PALETTE = "palette"
    TRANSPARENCY = "transparency"
    SIXTEEN_BIT = "sixteen_bit"
    ANIMATED = "animated"
    EXIF_ROTATED = "exif_rotated"

    @property
    def fragment(self) -> str:
        """Return the text that follows "1 image" or "3 files" in a summary."""
        return _FRAGMENTS[self]


_FRAGMENTS = {
    Oddity.WRONG_EXTENSION: "in another format than the file name says",
    Oddity.CMYK: "in CMYK, converted to RGB",
    Oddity.GREYSCALE: "in greyscale",
    Oddity.PALETTE: "with a colour palette",
    Oddity.TRANSPARENCY: "with transparency, which is ignored",
    Oddity.SIXTEEN_BIT: "with 16 bits per channel, scaled to 8",
    Oddity.ANIMATED: "with several frames, of which the first is used",
    Oddity.EXIF_ROTATED: "with an EXIF orientation other than upright",
}

assert set(_FRAGMENTS) == set(Oddity)

JPEG_FORMAT = "JPEG"
_GREY_MODES = frozenset({"1", "L", "LA", "La", "I"})


def format_of(image: ImageFile) -> str:
    """Return the image's format; a JPEG file with several pictures counts as a JPEG."""
    return JPEG_FORMAT if image.format == "MPO" else str(image.format)


def jpeg_oddities(jpeg: PlainJpeg, path: PurePath) -> frozenset[Oddity]:
    """Return the oddities of an otherwise plain JPEG."""
    found = {
        Oddity.WRONG_EXTENSION: _has_wrong_extension(path, JPEG_FORMAT),
        Oddity.GREYSCALE: jpeg.mode in _GREY_MODES,
    }
    return frozenset(oddity for oddity, present in found.items() if present)


def stored_oddities(image: ImageFile, path: PurePath) -> frozenset[Oddity]:
    """Return the oddities of an image that is opened but not loaded."""
    found = {
        Oddity.WRONG_EXTENSION: _has_wrong_extension(path, format_of(image)),
        Oddity.CMYK: image.mode == "CMYK",
        Oddity.GREYSCALE: image.mode in _GREY_MODES or image.mode.startswith("I;16"),
        Oddity.PALETTE: image.mode in ("P", "PA"),
        Oddity.TRANSPARENCY: image.has_transparency_data,
        Oddity.SIXTEEN_BIT: _has_sixteen_bits(image),
    }
    return frozenset(oddity for oddity, present in found.items() if present)


def loaded_oddities(image: ImageFile) -> frozenset[Oddity]:
    """Return the oddities that some formats only show when the first frame is loaded."""
    found = {
        Oddity.ANIMATED: _has_several_frames(image),
        Oddity.EXIF_ROTATED: orientation(image) != 1,
    }
    return frozenset(oddity for oddity, present in found.items() if present)


def _has_wrong_extension(path: PurePath, format_name: str) -> bool:
    return FORMAT_BY_EXTENSION.get(path.suffix.lower()) != format_name


def _has_sixteen_bits(image: ImageFile) -> bool:
    # Pillow keeps the stored depth only in the arguments of the decoder.
    return image.mode.startswith("I") or any(";16" in repr(tile[3]) for tile in image.tile)


def _has_several_frames(image: ImageFile) -> bool:
    try:
        return bool(getattr(image, "is_animated", False))
    except Exception:
        # Only the first frame is used, so damage after it doesn't matter.
        return False
