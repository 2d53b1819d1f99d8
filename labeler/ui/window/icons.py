"""The program's icons, recoloured by theme and sharp at every scale."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from labeler.locations import RESOURCES

ICON_FOLDER = RESOURCES / "icons"
_SOURCE_COLOUR, _SOURCE_BACKGROUND = "#000000", "#ffffff"
_RATIOS = (1.0, 2.0)
_WINDOW_SIZES = (16, 32, 64)
# Fractions of the icon's size.
_CORNER, _MARGIN = 0.2, 0.12


def paint_icon(
    painter: QPainter, where: QRectF, name: str, *, colour: str, background: str
) -> None:
    """Draw an icon in a colour; `background` is the colour that shows through it."""
    QSvgRenderer(_coloured_svg(name, colour=colour, background=background)).render(painter, where)


@cache
def _coloured_svg(name: str, *, colour: str, background: str) -> QByteArray:
    """Return the coloured SVG; cached, because a text field paints its icon at each key press."""
    drawing = (ICON_FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    drawing = drawing.replace(_SOURCE_BACKGROUND, background).replace(_SOURCE_COLOUR, colour)
    return QByteArray(drawing.encode())


def icon(name: str, *, colour: str, background: str, size: int = 16) -> QIcon:
    """An icon for a button, with a drawing for ordinary and for dense screens."""
    made = QIcon()
    for ratio in _RATIOS:
        pixmap = QPixmap(QSize(size, size) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint_icon(painter, QRectF(0, 0, size, size), name, colour=colour, background=background)
        painter.end()
        made.addPixmap(pixmap)
    return made


def window_icon(name: str, *, colour: str, ground: str) -> QIcon:
    """Return an icon with its own background, because the colour of the title bar is unknown."""
    made = QIcon()
    for size in _WINDOW_SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(pixmap.rect(), size * _CORNER, size * _CORNER)
        inset = size * _MARGIN
        inside = QRectF(pixmap.rect()).adjusted(inset, inset, -inset, -inset)
        paint_icon(painter, inside, name, colour=colour, background=ground)
        painter.end()
        made.addPixmap(pixmap)
    return made
