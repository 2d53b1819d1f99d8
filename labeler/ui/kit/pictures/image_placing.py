"""Where an image's pixels go on the device, so that Qt paints them and doesn't blur them."""

from math import ceil, floor

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from labeler.core.view_geometry import PixelSize, Viewport, ViewTransform
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid


def centred_rect(size: PixelSize, view: Viewport) -> QRect:
    """Where an image of a size on the device stands, in whole pixels."""
    x, y = (view.width - size.width) // 2, (view.height - size.height) // 2
    return QRect(x, y, size.width, size.height)


def surrounding_rects(place: QRect, view: Viewport) -> tuple[QRect, ...]:
    """The ground above, below and beside a place in the view."""
    x, y, width, height = place.x(), place.y(), place.width(), place.height()
    return (
        QRect(0, 0, view.width, y),
        QRect(0, y + height, view.width, view.height - y - height),
        QRect(0, y, x, height),
        QRect(x + width, y, view.width - x - width, height),
    )


def scaled_outward(rect: QRect, ratio: float) -> QRect:
    """The rectangle in units of another size, grown to whole ones."""
    slack = 0 if ratio.is_integer() else 1
    x, y = floor(rect.x() * ratio) - slack, floor(rect.y() * ratio) - slack
    width, height = ceil(rect.width() * ratio), ceil(rect.height() * ratio)
    return QRect(x, y, width + 2 * slack, height + 2 * slack)


def use_device_pixels(painter: QPainter, ratio: float) -> None:
    """Paint from now on in whole pixels of the device, also where the scaling is a fraction."""
    painter.scale(1 / ratio, 1 / ratio)
    origin = painter.deviceTransform()
    painter.translate(round(origin.dx()) - origin.dx(), round(origin.dy()) - origin.dy())


def visible_part(
    level: QImage, pixels: ImagePyramid, sight: ViewTransform, view: Viewport
) -> tuple[QRectF, QImage, QRectF]:
    """What is to be painted where: Qt's painting is exact only near the place it paints."""
    across, x, width = _visible_range(
        level.width(), pixels.size.width * sight.scale, sight.middle.x * sight.scale, view.width
    )
    down, y, height = _visible_range(
        level.height(), pixels.size.height * sight.scale, sight.middle.y * sight.scale, view.height
    )
    source = QRectF(across[0], down[0], across[1] - across[0], down[1] - down[0])
    return QRectF(x, y, width, height), level, source


def _visible_range(
    pixels: int, length: float, middle: float, room: int
) -> tuple[tuple[int, int], float, float]:
    """Along one side: the first and last pixel in sight, where they begin, how long they are."""
    begin, step = round(room / 2 - middle), length / pixels
    first = max(0, floor(-begin / step) - 1)
    last = min(pixels, ceil((room - begin) / step) + 1)
    return (first, last), begin + first * step, (last - first) * step
