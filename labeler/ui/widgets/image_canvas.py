"""The surface on which a trial's image is painted, pixel for pixel where it fits."""

from math import ceil, floor

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from labeler.core.blind import BlindImage
from labeler.core.view_geometry import ACTUAL, MIDDLE, Looking, Point, Sight, Viewport
from labeler.ui.look import Look
from labeler.ui.trial_pixels import TrialPixels

# Enlarged further than this an image shows its pixels, since smoothing would only blur it.
SMOOTH_UP_TO = 2.0

# While a window is dragged to another size, scaling waits until the hand rests.
SETTLED_AFTER_MS = 80

_STEPS_ACROSS = 8
_WHEEL_NOTCH = 120


class ImageCanvas(QWidget):
    """Shows one image and lets the mouse zoom and move it; says when it was first painted."""

    painted = Signal(str)
    viewport_changed = Signal(Viewport)
    sight_changed = Signal()
    _was_painted = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._image: BlindImage[TrialPixels] | None = None
        self._sight: Sight | None = None
        self._veiled = False
        # Each image gets a number, so that a late word of an older one's paint is dropped.
        self._showing, self._told = 0, False
        self._grabbed: QPointF | None = None
        self._wheel = 0
        self._viewport_told: Viewport | None = None
        self._settling = QTimer(self, singleShot=True, interval=SETTLED_AFTER_MS)
        self._settling.timeout.connect(self._tell_viewport)
        self._was_painted.connect(self._tell_painted, Qt.ConnectionType.QueuedConnection)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        look.changed.connect(self.update)

    @property
    def image_viewport(self) -> Viewport:
        """The room for the image, in pixels of the device."""
        ratio = self.devicePixelRatioF()
        return Viewport(round(self.width() * ratio), round(self.height() * ratio), ratio)

    @property
    def sight(self) -> Sight | None:
        """How the image is seen now; None where there is none to see."""
        looking = self.looking
        if looking is None:
            return None
        return looking.fit() if self._sight is None else looking.kept(self._sight)

    @property
    def fits(self) -> bool:
        """Whether the image follows the size of the view."""
        return self._sight is None

    @property
    def looking(self) -> Looking | None:
        if self._image is None or self._veiled:
            return None
        return Looking(self._image.pixels.size, self.image_viewport)

    def show_image(self, image: BlindImage[TrialPixels] | None) -> None:
        """Show an image, to fit; the same trial's, scaled anew, is seen as it was before."""
        if image is None or self._image is None or image.trial_id != self._image.trial_id:
            self._showing += 1
            self._told = False
            self._grabbed = None
            self._sight = None
        self._image = image
        self._changed()

    def veil(self, veiled: bool) -> None:
        """Paint no pixel of the image until it is unveiled."""
        self._veiled = veiled
        self._grabbed = None
        self._changed()

    def fit(self) -> None:
        self._see(None)

    def zoom_to(self, scale: float, *, at: Point = MIDDLE) -> None:
        """See the image at a scale; what lies at that place stays there."""
        if (looking := self.looking) is not None and (sight := self.sight) is not None:
            self._see(looking.zoomed(sight, scale, at=at))

    def zoom(self, steps: int, *, at: Point = MIDDLE) -> None:
        """Zoom in by so many stops, or by a negative number out; out of the last is fit."""
        looking, sight = self.looking, self.sight
        if looking is None or sight is None:
            return
        scale = looking.stepped(sight.scale, steps)
        if scale == looking.fit_scale:
            self.fit()
        else:
            self.zoom_to(scale, at=at)

    def pan(self, dx: int, dy: int) -> None:
        """Move over the image by eighths of the view."""
        view = self.image_viewport
        self._move(Point(dx * view.width / _STEPS_ACROSS, dy * view.height / _STEPS_ACROSS))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._look.colour("surround"))
        if self._image is None or self._veiled:
            return
        _in_device_pixels(painter, self.devicePixelRatioF())
        self._paint_image(painter, self._image.pixels)
        if not self._told:
            self._was_painted.emit(self._showing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settling.start()
        self.sight_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_viewport()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._settling.start()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        self._wheel += event.angleDelta().y()
        # A fine wheel or a touchpad gives a notch in many small parts.
        steps = int(self._wheel / _WHEEL_NOTCH)
        self._wheel -= steps * _WHEEL_NOTCH
        if steps:
            self.zoom(steps, at=self._place(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.looking is not None:
            self._grabbed = event.position()
            self._set_cursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            way, ratio = self._grabbed - event.position(), self.devicePixelRatioF()
            self._grabbed = event.position()
            self._move(Point(way.x() * ratio, way.y() * ratio))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._grabbed = None
        self._set_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        looking = self.looking
        if looking is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        if not self.fits:
            self.fit()
            return
        # Where fit is one to one already, a double click would seem to do nothing.
        nearer = ACTUAL if looking.fit_scale < ACTUAL else 2 * looking.fit_scale
        self.zoom_to(nearer, at=self._place(event.position()))

    def _place(self, position: QPointF) -> Point:
        """A place in the widget as a distance from its middle, in pixels of the device."""
        view = self.image_viewport
        return Point(
            position.x() * view.ratio - view.width / 2,
            position.y() * view.ratio - view.height / 2,
        )

    def _move(self, by: Point) -> None:
        if (looking := self.looking) is not None and self._sight is not None:
            self._see(looking.moved(looking.kept(self._sight), by))

    def _see(self, sight: Sight | None) -> None:
        if sight != self._sight:
            self._sight = sight
            self._changed()

    def _changed(self) -> None:
        self._set_cursor()
        self.update()
        self.sight_changed.emit()

    def _set_cursor(self) -> None:
        looking, sight = self.looking, self.sight
        if looking is None or sight is None or sight.scale <= looking.fit_scale:
            self.unsetCursor()
        elif self._grabbed is None:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def _paint_image(self, painter: QPainter, pixels: TrialPixels) -> None:
        looking, view = Looking(pixels.size, self.image_viewport), self.image_viewport
        target, fitted = looking.fitted_size, pixels.fitted
        if self.fits and (fitted.width(), fitted.height()) == (target.width, target.height):
            corner = ((view.width - target.width) // 2, (view.height - target.height) // 2)
            painter.drawImage(QRect(*corner, target.width, target.height), fitted, fitted.rect())
            return
        sight = looking.fit() if self._sight is None else looking.kept(self._sight)
        smooth = sight.scale <= SMOOTH_UP_TO
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        level = pixels.level_for(sight.scale)
        painter.drawImage(*_part_in_sight(level, pixels, sight, view))

    def _tell_painted(self, showing: int) -> None:
        """Pass on that the image was painted, once Qt has brought the paint to the screen."""
        if showing != self._showing or self._told or self._image is None or self._veiled:
            return
        handle = self.window().windowHandle()
        if self.isVisible() and handle is not None and handle.isExposed():
            self._told = True
            self.painted.emit(self._image.trial_id)

    def _tell_viewport(self) -> None:
        self._settling.stop()
        if self.isVisible() and self.image_viewport != self._viewport_told:
            self._viewport_told = self.image_viewport
            self.viewport_changed.emit(self.image_viewport)


def _in_device_pixels(painter: QPainter, ratio: float) -> None:
    """Paint from now on in whole pixels of the device, also where the scaling is a fraction."""
    painter.scale(1 / ratio, 1 / ratio)
    origin = painter.deviceTransform()
    painter.translate(round(origin.dx()) - origin.dx(), round(origin.dy()) - origin.dy())


def _part_in_sight(
    level: QImage, pixels: TrialPixels, sight: Sight, view: Viewport
) -> tuple[QRectF, QImage, QRectF]:
    """What is to be painted where: Qt's painting is exact only near the place it paints."""
    across, x, width = _stretch(
        level.width(), pixels.size.width * sight.scale, sight.middle.x * sight.scale, view.width
    )
    down, y, height = _stretch(
        level.height(), pixels.size.height * sight.scale, sight.middle.y * sight.scale, view.height
    )
    source = QRectF(across[0], down[0], across[1] - across[0], down[1] - down[0])
    return QRectF(x, y, width, height), level, source


def _stretch(
    pixels: int, length: float, middle: float, room: int
) -> tuple[tuple[int, int], float, float]:
    """Along one side: the first and last pixel in sight, where they begin, how long they are."""
    begin, step = round(room / 2 - middle), length / pixels
    first = max(0, floor(-begin / step) - 1)
    last = min(pixels, ceil((room - begin) / step) + 1)
    return (first, last), begin + first * step, (last - first) * step
