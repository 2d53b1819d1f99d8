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

from labeler.core.labeling.blind_types import BlindImage
from labeler.core.view_geometry import (
    ACTUAL_SIZE,
    VIEW_CENTRE,
    PixelPoint,
    PixelSize,
    ViewGeometry,
    Viewport,
    ViewTransform,
)
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.loupe import loupe_area, paint_loupe, pointer_in
from labeler.ui.window.theme import Appearance


def centred_rect(size: PixelSize, view: Viewport) -> QRect:
    """Return the centred rectangle of an image, in whole device pixels."""
    x, y = (view.width - size.width) // 2, (view.height - size.height) // 2
    return QRect(x, y, size.width, size.height)


def surrounding_rects(place: QRect, view: Viewport) -> tuple[QRect, ...]:
    """Return the background rectangles around an area of the view."""
    x, y, width, height = place.x(), place.y(), place.width(), place.height()
    return (
        QRect(0, 0, view.width, y),
        QRect(0, y + height, view.width, view.height - y - height),
        QRect(0, y, x, height),
        QRect(x + width, y, view.width - x - width, height),
    )


def scaled_outward(rect: QRect, ratio: float) -> QRect:
    """Return the rectangle in units of another size, rounded outward."""
    slack = 0 if ratio.is_integer() else 1
    x, y = floor(rect.x() * ratio) - slack, floor(rect.y() * ratio) - slack
    width, height = ceil(rect.width() * ratio), ceil(rect.height() * ratio)
    return QRect(x, y, width + 2 * slack, height + 2 * slack)


def use_device_pixels(painter: QPainter, ratio: float) -> None:
    """Paint in whole device pixels from now on, even with fractional scaling."""
    painter.scale(1 / ratio, 1 / ratio)
    origin = painter.deviceTransform()
    painter.translate(round(origin.dx()) - origin.dx(), round(origin.dy()) - origin.dy())


def visible_part(
    level: QImage, pixels: ImagePyramid, transform: ViewTransform, view: Viewport
) -> tuple[QRectF, QImage, QRectF]:
    """Return the visible part of the image and where to paint it."""
    across, x, width = _visible_range(
        level.width(),
        pixels.size.width * transform.scale,
        transform.middle.x * transform.scale,
        view.width,
    )
    down, y, height = _visible_range(
        level.height(),
        pixels.size.height * transform.scale,
        transform.middle.y * transform.scale,
        view.height,
    )
    source = QRectF(across[0], down[0], across[1] - across[0], down[1] - down[0])
    return QRectF(x, y, width, height), level, source


def _visible_range(
    pixels: int, length: float, middle: float, room: int
) -> tuple[tuple[int, int], float, float]:
    """Return, for one axis, the visible pixels, where they start and how long they are."""
    begin, step = round(room / 2 - middle), length / pixels
    first = max(0, floor(-begin / step) - 1)
    last = min(pixels, ceil((room - begin) / step) + 1)
    return (first, last), begin + first * step, (last - first) * step


# Beyond this scale, pixels are shown without smoothing, which would only blur them.
MAX_SMOOTH_SCALE = 3.0

# While a window is being resized, scaling is delayed.
RESIZE_SETTLE_MS = 80

_STEPS_ACROSS = 8
_WHEEL_NOTCH = 120


class ImageCanvas(QWidget):
    """Shows one image that can be zoomed and panned; signals when it was first painted."""

    # The number of the image that is being painted, and not yet on the screen.
    drawn = Signal(int)
    painted = Signal(str)
    viewport_changed = Signal(Viewport)
    transform_changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._image: BlindImage[ImagePyramid] | None = None
        self._transform: ViewTransform | None = None
        self._veiled = False
        # Each image gets a number, so that late signals about older images are dropped.
        self._showing, self._was_emitted = 0, False
        self._grabbed: QPointF | None = None
        self._shape = Qt.CursorShape.ArrowCursor
        self._wheel = 0
        self._magnifies = False
        self._pointer: QPointF | None = None
        self._emitted_viewport: Viewport | None = None
        self._settling = QTimer(self, singleShot=True, interval=RESIZE_SETTLE_MS)
        self._settling.timeout.connect(self._emit_viewport_changed)
        self.drawn.connect(self._emit_painted, Qt.ConnectionType.QueuedConnection)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        appearance.changed.connect(self._apply_appearance)
        self._apply_appearance()

    @property
    def image_viewport(self) -> Viewport:
        """The space for the image, in device pixels."""
        ratio = self.devicePixelRatioF()
        return Viewport(round(self.width() * ratio), round(self.height() * ratio), ratio)

    @property
    def transform(self) -> ViewTransform | None:
        """The current transformation; None without an image."""
        geometry = self.view_geometry
        if geometry is None:
            return None
        return geometry.fit() if self._transform is None else geometry.kept(self._transform)

    @property
    def fits(self) -> bool:
        """Whether the image follows the size of the view."""
        return self._transform is None

    @property
    def view_geometry(self) -> ViewGeometry | None:
        if self._image is None or self._veiled:
            return None
        return ViewGeometry(self._image.pixels.size, self.image_viewport)

    def show_image(self, image: BlindImage[ImagePyramid] | None) -> None:
        """Show an image, fitted; a rescaled image of the same trial keeps zoom and position."""
        left, was_fit = self._covers(), self.fits
        if image is None or self._image is None or image.trial_id != self._image.trial_id:
            self._showing += 1
            self._was_emitted = False
            self._grabbed = None
            self._transform = None
        self._image = image
        # Only what the old image leaves and the new one takes is painted.
        self.update(left.united(self._covers()))
        # On an ordinary screen no scale is smaller than fit.
        if not was_fit or self.devicePixelRatioF() > ACTUAL_SIZE:
            self._transform_changed()

    def set_covered(self, veiled: bool) -> None:
        """Cover the image, or uncover it."""
        self._veiled = veiled
        self._grabbed = None
        self._changed()

    def set_loupe(self, shown: bool) -> None:
        """Show the image enlarged under the pointer, wherever that goes."""
        self._magnifies = shown
        self.setMouseTracking(shown)
        here = pointer_in(self)
        self._move_loupe(here if shown and self.rect().contains(here.toPoint()) else None)

    def fit(self) -> None:
        self._see(None)

    def see(self, transform: ViewTransform | None) -> None:
        """Show this part of the image, or fit it."""
        self._see(transform)

    def zoom_to(self, scale: float, *, at: PixelPoint = VIEW_CENTRE) -> None:
        """Set the scale; the point `at` stays fixed."""
        if (geometry := self.view_geometry) is not None and (
            transform := self.transform
        ) is not None:
            self._see(geometry.zoomed(transform, scale, at=at))

    def zoom(self, steps: int, *, at: PixelPoint = VIEW_CENTRE) -> None:
        """Zoom in by a number of steps, or out if negative; the smallest step is fit."""
        geometry, transform = self.view_geometry, self.transform
        if geometry is None or transform is None:
            return
        scale = geometry.stepped(transform.scale, steps)
        if scale == geometry.fit_scale:
            self.fit()
        else:
            self.zoom_to(scale, at=at)

    def pan(self, dx: int, dy: int) -> None:
        """Pan by eighths of the view."""
        view = self.image_viewport
        self._move(PixelPoint(dx * view.width / _STEPS_ACROSS, dy * view.height / _STEPS_ACROSS))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, geometry = QPainter(self), self.view_geometry
        if self._image is None or geometry is None:
            painter.fillRect(event.rect(), self._surround)
            return
        use_device_pixels(painter, geometry.viewport.ratio)
        self._paint_image(painter, self._image.pixels, geometry, event.rect())
        if self._pointer is not None and (transform := self.transform) is not None:
            at = self._place(self._pointer)
            paint_loupe(painter, self._image.pixels, transform, geometry.viewport, at=at)
        if not self._was_emitted:
            self.drawn.emit(self._showing)
        # A window that was moved to a denser screen is painted again, and not always resized.
        if geometry.viewport != self._emitted_viewport and not self._settling.isActive():
            self._settling.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settling.start()
        self.transform_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._emit_viewport_changed()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        self._wheel += event.angleDelta().y()
        # A fine wheel or a touchpad gives a notch in many small parts.
        steps = int(self._wheel / _WHEEL_NOTCH)
        self._wheel -= steps * _WHEEL_NOTCH
        if steps:
            self.zoom(steps, at=self._place(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.view_geometry is not None:
            self._grabbed = event.position()
            self._set_cursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._magnifies:
            self._move_loupe(event.position())
        if self._grabbed is not None:
            way, ratio = self._grabbed - event.position(), self.devicePixelRatioF()
            self._grabbed = event.position()
            self._move(PixelPoint(way.x() * ratio, way.y() * ratio))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._move_loupe(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._grabbed = None
        self._set_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        geometry = self.view_geometry
        if geometry is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        if not self.fits:
            self.fit()
            return
        # Where fit is one to one already, a double click would seem to do nothing.
        nearer = ACTUAL_SIZE if geometry.fit_scale < ACTUAL_SIZE else 2 * geometry.fit_scale
        self.zoom_to(nearer, at=self._place(event.position()))

    def _place(self, position: QPointF) -> PixelPoint:
        """Return a point of the widget relative to its centre, in device pixels."""
        view = self.image_viewport
        return PixelPoint(
            position.x() * view.ratio - view.width / 2,
            position.y() * view.ratio - view.height / 2,
        )

    def _move_loupe(self, pointer: QPointF | None) -> None:
        for place in (self._pointer, pointer):
            if place is not None:
                self.update(loupe_area(place))
        self._pointer = pointer

    def _move(self, by: PixelPoint) -> None:
        if (geometry := self.view_geometry) is not None and self._transform is not None:
            self._see(geometry.moved(geometry.kept(self._transform), by))

    def _see(self, transform: ViewTransform | None) -> None:
        if transform != self._transform:
            self._transform = transform
            self._changed()

    def _changed(self) -> None:
        self.update()
        self._transform_changed()

    def _transform_changed(self) -> None:
        self._set_cursor()
        self.transform_changed.emit()

    def _covers(self) -> QRect:
        """Return the part of the widget that the image may cover."""
        geometry = self.view_geometry
        if geometry is None or not self.fits:
            return QRect() if geometry is None else self.rect()
        place, ratio = (
            centred_rect(geometry.fitted_size, geometry.viewport),
            geometry.viewport.ratio,
        )
        return scaled_outward(place, 1 / ratio)

    def _set_cursor(self) -> None:
        shape = self._cursor_shape()
        if shape is not self._shape:
            self._shape = shape
            self.setCursor(shape)

    def _cursor_shape(self) -> Qt.CursorShape:
        transform = self._transform
        if (
            transform is None
            or (geometry := self.view_geometry) is None
            or transform.scale <= geometry.fit_scale
        ):
            return Qt.CursorShape.ArrowCursor
        if self._grabbed is None:
            return Qt.CursorShape.OpenHandCursor
        return Qt.CursorShape.ClosedHandCursor

    def _apply_appearance(self) -> None:
        self._surround = self._appearance.colour("surround")
        self.update()

    def _paint_image(
        self, painter: QPainter, pixels: ImagePyramid, geometry: ViewGeometry, asked: QRect
    ) -> None:
        view, target, fitted = geometry.viewport, geometry.fitted_size, pixels.fitted
        if self.fits and (fitted.width(), fitted.height()) == (target.width, target.height):
            place = centred_rect(target, view)
            painter.drawImage(place, fitted, fitted.rect())
            # Background that the image covers isn't painted, which halves the cost.
            if not place.contains(scaled_outward(asked, view.ratio)):
                for ground in surrounding_rects(place, view):
                    painter.fillRect(ground, self._surround)
            return
        painter.fillRect(0, 0, view.width, view.height, self._surround)
        transform = geometry.fit() if self._transform is None else geometry.kept(self._transform)
        smooth = transform.scale <= MAX_SMOOTH_SCALE * view.ratio
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        level = pixels.level_for(transform.scale)
        painter.drawImage(*visible_part(level, pixels, transform, view))

    def _emit_painted(self, showing: int) -> None:
        """Signal that the image was painted, once it is on the screen."""
        if showing != self._showing or self._was_emitted or self._image is None or self._veiled:
            return
        handle = self.window().windowHandle()
        if self.isVisible() and handle is not None and handle.isExposed():
            self._was_emitted = True
            self.painted.emit(self._image.trial_id)

    def _emit_viewport_changed(self) -> None:
        self._settling.stop()
        if self.isVisible() and self.image_viewport != self._emitted_viewport:
            self._emitted_viewport = self.image_viewport
            self.viewport_changed.emit(self.image_viewport)
