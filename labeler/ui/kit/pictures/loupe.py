"""The loupe: a circle under the pointer that shows the image enlarged."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QKeySequence, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap
from labeler.core.view_geometry import PixelPoint, Viewport, ViewTransform
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid

LOUPE_RADIUS = 110
# How much larger than around it, and at least how many device pixels per image pixel.
LOUPE_FACTOR, MIN_LOUPE_SCALE = 2.5, 2.0
_EDGE = QColor("#222222")


def loupe_scale(scale: float, ratio: float) -> float:
    """Return the scale in the loupe over an image shown at `scale`."""
    return max(LOUPE_FACTOR * scale, MIN_LOUPE_SCALE * ratio)


def loupe_area(centre: QPointF) -> QRect:
    """Return the part of the widget that the loupe covers."""
    reach = LOUPE_RADIUS + 4
    return QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach).toAlignedRect()


def paint_loupe(
    painter: QPainter,
    pixels: ImagePyramid,
    transform: ViewTransform,
    view: Viewport,
    *,
    at: PixelPoint,
) -> None:
    """Paint the loupe in device pixels; `at` is the pointer relative to the view's centre."""
    scale = loupe_scale(transform.scale, view.ratio)
    point = transform.image_point_at(at)
    centre = QPointF(view.width / 2 + at.x, view.height / 2 + at.y)
    radius = LOUPE_RADIUS * view.ratio
    circle = QPainterPath()
    circle.addEllipse(centre, radius, radius)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setClipPath(circle, Qt.ClipOperation.IntersectClip)
    reach = radius / scale
    source = QRectF(point.x - reach, point.y - reach, 2 * reach, 2 * reach)
    inside = source.intersected(QRectF(pixels.full.rect()))
    if not inside.isEmpty():
        painter.drawImage(_shown_at(inside, point, centre, scale), pixels.full, inside)
    painter.setClipping(False)
    for colour, width in ((_EDGE, 5.0), (QColor("white"), 3.0)):
        painter.setPen(QPen(colour, width * view.ratio))
        painter.drawEllipse(centre, radius, radius)
    painter.restore()


def _shown_at(part: QRectF, point: PixelPoint, centre: QPointF, scale: float) -> QRectF:
    x, y = centre.x() + (part.x() - point.x) * scale, centre.y() + (part.y() - point.y) * scale
    return QRectF(x, y, part.width() * scale, part.height() * scale)


class LoupeSwitch(QObject):
    """Says whether the loupe is wanted: while its key is held, or while its button is down."""

    changed = Signal(bool)

    def __init__(self, image: QWidget, keymap: Keymap) -> None:
        super().__init__(image)
        self._held = self._kept = False
        self.follow_keymap(keymap)

    def follow_keymap(self, keymap: Keymap) -> None:
        keys = (QKeySequence(str(key)) for key in keymap[Action.HOLD_LOUPE].keys)
        # PySide6's stubs don't know that a sequence can be indexed.
        self._keys = {sequence[0].key() for sequence in keys}  # type: ignore[index]

    def hold(self) -> None:
        """Show the loupe until the key is released."""
        if not self._held:
            self._held = True
            _application().installEventFilter(self)
            self.changed.emit(True)

    def keep(self, kept: bool) -> None:
        """Show the loupe until the button is pressed again."""
        self._kept = kept
        self.changed.emit(self._kept or self._held)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if self._ends(event):
            self._held = False
            _application().removeEventFilter(self)
            self.changed.emit(self._kept)
        return False

    def _ends(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ApplicationDeactivate:
            return True
        return (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyRelease
            and not event.isAutoRepeat()
            and event.key() in self._keys
        )


def pointer_in(widget: QWidget) -> QPointF:
    """Return where the pointer is, in the widget's coordinates."""
    return QPointF(widget.mapFromGlobal(QCursor.pos()))


def _application() -> QCoreApplication:
    running = QCoreApplication.instance()
    assert running is not None, "widgets need an application"
    return running
