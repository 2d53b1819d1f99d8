"""Prepares a trial's image for painting; safe on worker threads, because it creates no pixmaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.view_geometry import PixelSize, ViewGeometry, Viewport
from labeler.images.decoder import decode, decode_scaled
from labeler.images.pillow import open_header

# Larger images are scaled down, because a few of them would fill the memory.
MAX_PIXELS = 25_000_000

_BYTES_PER_PIXEL = 4


@dataclass(frozen=True, slots=True)
class ImagePyramid:
    """An image at its full size and at halves of it, and one scaled to fit a viewport."""

    levels: tuple[QImage, ...] = field(repr=False)
    fitted: QImage = field(repr=False)

    @property
    def full(self) -> QImage:
        return self.levels[0]

    @property
    def size(self) -> PixelSize:
        return PixelSize(self.full.width(), self.full.height())

    def level_for(self, scale: float) -> QImage:
        """Return the smallest level that isn't enlarged at this scale."""
        wanted = self.full.width() * scale
        return next((it for it in reversed(self.levels) if it.width() >= wanted), self.full)


def build_pyramid(encoded: EncodedImage, viewport: Viewport) -> ImagePyramid:
    """Decode and scale a trial's image, or raise what the decoder raises."""
    return pyramid_of(_to_qimage(_decoded(encoded)), viewport)


def pyramid_of(full: QImage, viewport: Viewport) -> ImagePyramid:
    """Return a decoded image, scaled to fit a viewport."""
    return _scaled_for((full,), viewport)


def refit_pyramid(pixels: ImagePyramid, viewport: Viewport) -> ImagePyramid:
    """Return the same image scaled to fit another viewport."""
    return _scaled_for(pixels.levels, viewport)


def _decoded(encoded: EncodedImage) -> Image.Image:
    width, height = open_header(encoded.data).size
    if width * height <= MAX_PIXELS:
        return decode(encoded.data, apply_exif=encoded.apply_exif)
    # A square holds the picture whether or not it will be turned.
    side = int(max(width, height) * sqrt(MAX_PIXELS / (width * height)))
    return decode_scaled(encoded.data, size=(side, side), apply_exif=encoded.apply_exif)


def _to_qimage(image: Image.Image) -> QImage:
    """Convert the pixels to the format that paints fastest."""
    # Pillow keeps four bytes to a pixel as well, so that this is a mere copy of its rows.
    rows = image.tobytes("raw", "RGBX")
    stride = image.width * _BYTES_PER_PIXEL
    borrowed = QImage(rows, image.width, image.height, stride, QImage.Format.Format_RGBX8888)
    # The first image only borrows the bytes; the converted one owns its pixels.
    return borrowed.convertToFormat(QImage.Format.Format_RGB32)


def _scaled_for(levels: tuple[QImage, ...], viewport: Viewport) -> ImagePyramid:
    full = levels[0]
    target = ViewGeometry(PixelSize(full.width(), full.height()), viewport).fitted_size
    return ImagePyramid(
        levels=(*levels, *_half_sizes(levels[-1], target)),
        fitted=_with_ratio(_scaled(full, target), viewport.ratio),
    )


def _half_sizes(image: QImage, target: PixelSize) -> Iterator[QImage]:
    """Return repeatedly halved images, down to the target size."""
    while image.width() >= 2 * target.width and image.height() >= 2 * target.height:
        image = _scaled(image, PixelSize(image.width() // 2, image.height() // 2))
        yield image


def _scaled(image: QImage, size: PixelSize) -> QImage:
    """Return the image at a size, by area averaging."""
    if (image.width(), image.height()) == (size.width, size.height):
        return image
    return image.scaled(
        size.width,
        size.height,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def _with_ratio(image: QImage, ratio: float) -> QImage:
    if image.devicePixelRatio() == ratio:
        return image
    dense = QImage(image)
    dense.setDevicePixelRatio(ratio)
    return dense
