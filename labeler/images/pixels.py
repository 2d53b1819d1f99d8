"""Turning decoded pixels of any kind into 8-bit RGB."""

from PIL import Image

from labeler.images.unreadable import UnreadableImage, UnreadableReason

_SIXTEEN_BIT_MODES = frozenset({"I;16", "I;16L", "I;16B", "I;16N"})
_LARGEST_SIXTEEN_BIT = 0xFFFF


def to_rgb(image: Image.Image) -> Image.Image:
    """The image as 8-bit RGB: what Pillow's convert gives, except that 16-bit grey is scaled."""
    if image.mode in _SIXTEEN_BIT_MODES or image.mode == "I":
        image = _high_bytes(image)
    elif image.mode == "F":
        raise UnreadableImage(UnreadableReason.UNSUPPORTED_PIXELS)
    # Transparency is ignored, as in every published evaluation; Pillow would warn about it.
    image.info.pop("transparency", None)
    return image.convert("RGB")


def _high_bytes(image: Image.Image) -> Image.Image:
    """Scale 16-bit grey as Pillow scales 16-bit colour; left to itself it would clip grey."""
    # Few images need it, and it takes longer to import than an image to decode.
    import numpy as np

    values = np.asarray(image)
    if values.min() < 0 or values.max() > _LARGEST_SIXTEEN_BIT:
        raise UnreadableImage(UnreadableReason.UNSUPPORTED_PIXELS)
    return Image.fromarray((values >> 8).astype(np.uint8))
