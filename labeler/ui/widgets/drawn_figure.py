"""A figure on its white paper: it is zoomed and moved, and its points can be pointed at."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.actions import bind
from labeler.ui.look import Look
from labeler.ui.widgets.mark_card import paint_mark

if TYPE_CHECKING:
    from labeler.report.figures.canvas import Drawn, Mark

_MARGIN = 16
_STEP, _LARGEST = 1.25, 8.0
_NEAR = 12.0  # from the point, in pixels
_MOVED = 0.1  # of the widget's size, by a key
_NOTCH = 120


class DrawnFigure(QWidget):
    """Paints a picture in the middle, never distorted; `opened` tells what a point shows."""

    opened = Signal(object)

    def __init__(self, look: Look, keymap: Keymap) -> None:
        super().__init__()
        self._look = look
        self._drawn: Drawn | None = None
        self._picture = QPixmap()
        self._zoom, self._middle = 1.0, QPointF(0.5, 0.5)
        self._current: int | None = None
        self._grabbed: QPointF | None = None
        self._dragged, self._wheel = False, 0
        self.setMinimumSize(320, 200)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        bind(
            self,
            keymap,
            Scope.RESULTS_FIGURE,
            {
                Action.FIGURE_LARGER: lambda: self.zoom(1),
                Action.FIGURE_SMALLER: lambda: self.zoom(-1),
                Action.FIGURE_WHOLE: self.show_whole,
                Action.FIGURE_LEFT: lambda: self.move_by(-1, 0),
                Action.FIGURE_RIGHT: lambda: self.move_by(1, 0),
                Action.FIGURE_UP: lambda: self.move_by(0, -1),
                Action.FIGURE_DOWN: lambda: self.move_by(0, 1),
                Action.NEXT_MARK: lambda: self.step(1),
                Action.PREVIOUS_MARK: lambda: self.step(-1),
                Action.OPEN_MARK: self.open_current,
            },
        )

    @property
    def is_shown(self) -> bool:
        return not self._picture.isNull()

    @property
    def zoomed(self) -> float:
        """How much larger than the whole figure it is seen."""
        return self._zoom

    @property
    def current(self) -> "Mark | None":
        """The point that is pointed at."""
        marks = self._marks
        return marks[self._current] if self._current is not None else None

    def show_figure(self, drawn: "Drawn") -> None:
        self.setAccessibleName(drawn.title)
        if drawn is not self._drawn:
            self._drawn = drawn
            self._picture = QPixmap()
            self._picture.loadFromData(drawn.png)
            self._point_at(None)
            self.show_whole()

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    # Zooming and moving.

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Zoom in, or by a negative number out; what lies at the place stays there."""
        where = QPointF(self.rect().center()) if at is None else at
        held = self._fraction(where)
        self._zoom = min(max(self._zoom * _STEP**steps, 1.0), _LARGEST)
        size = self._size()
        away = where - QPointF(self.rect().center())
        self._see(held - QPointF(away.x() / size.width(), away.y() / size.height()))

    def show_whole(self) -> None:
        self._zoom = 1.0
        self._see(QPointF(0.5, 0.5))

    def move_by(self, dx: int, dy: int) -> None:
        """Move over the figure by tenths of what is in sight."""
        size = self._size()
        step = QPointF(
            dx * _MOVED * self.width() / size.width(), dy * _MOVED * self.height() / size.height()
        )
        self._see(self._middle + step)

    # Pointing.

    def step(self, steps: int) -> None:
        """Point at the next point, or at one before."""
        if self._marks:
            at = -1 if self._current is None and steps > 0 else self._current or 0
            self._point_at((at + steps) % len(self._marks))
            self._bring_into_sight()

    def open_current(self) -> None:
        """Show the images behind the point."""
        if (mark := self.current) is not None:
            self.opened.emit(mark.shows)

    def place_of(self, mark: "Mark") -> QPointF:
        """Where on the widget a point is."""
        place = self._place()
        return QPointF(place.left() + mark.x * place.width(), place.top() + mark.y * place.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        # A figure is ink on paper in both themes.
        painter.fillRect(self.rect(), QColor("white"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.is_shown:
            painter.drawPixmap(self._place().toRect(), self._sharp())
        if (mark := self.current) is not None:
            inside = QRectF(self.rect()).adjusted(4, 4, -4, -4)
            paint_mark(painter, self._look, self.place_of(mark), mark.words, inside)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        # A fine wheel or a touchpad gives a notch in many small parts.
        self._wheel += event.angleDelta().y()
        steps = int(self._wheel / _NOTCH)
        self._wheel -= steps * _NOTCH
        if steps:
            self.zoom(steps, event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grabbed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            self._point_at(self._at(event.position()))
            return
        way = self._grabbed - event.position()
        if self._dragged or way.manhattanLength() > 4:
            self._dragged, self._grabbed = True, event.position()
            size = self._size()
            self._see(self._middle + QPointF(way.x() / size.width(), way.y() / size.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._grabbed is not None and not self._dragged
        self._grabbed = None
        if clicked and self._at(event.position()) is not None:
            self._point_at(self._at(event.position()))
            self.open_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._zoom > 1.0:
            self.show_whole()
        else:
            self.zoom(3, event.position())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    @property
    def _marks(self) -> "tuple[Mark, ...]":
        return () if self._drawn is None else self._drawn.marks

    def _point_at(self, number: int | None) -> None:
        if number != self._current:
            self._current = number
            mark = self.current
            self.setAccessibleDescription("" if mark is None else mark.words)
            hand = Qt.CursorShape.ArrowCursor if mark is None else Qt.CursorShape.PointingHandCursor
            self.setCursor(hand)
            self.update()

    def _at(self, where: QPointF) -> int | None:
        """The nearest point, if it is near."""
        ways = [(self.place_of(mark) - where, n) for n, mark in enumerate(self._marks)]
        near = [(way.x() ** 2 + way.y() ** 2, n) for way, n in ways]
        distance, number = min(near, default=(_NEAR**2 + 1, 0))
        return number if distance <= _NEAR**2 else None

    def _bring_into_sight(self) -> None:
        mark = self.current
        if mark is not None and not QRectF(self.rect()).contains(self.place_of(mark)):
            self._see(QPointF(mark.x, mark.y))

    def _see(self, middle: QPointF) -> None:
        """Bring a place of the figure to the middle, as far as there is figure around it."""
        size = self._size()
        across, up = (
            max(0.0, 0.5 - room / 2 / max(length, 1.0))
            for room, length in ((self.width(), size.width()), (self.height(), size.height()))
        )
        self._middle = QPointF(
            min(max(middle.x(), 0.5 - across), 0.5 + across),
            min(max(middle.y(), 0.5 - up), 0.5 + up),
        )
        self.update()

    def _size(self) -> QSizeF:
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN)
        picture = QSizeF(self._picture.size()) if self.is_shown else QSizeF(1, 1)
        whole = picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        # On a large screen the type of a small figure would tower over the rest.
        return whole.boundedTo(picture / self.devicePixelRatioF()) * self._zoom

    def _place(self) -> QRectF:
        size, centre = self._size(), QPointF(self.rect().center())
        left = centre.x() - self._middle.x() * size.width()
        return QRectF(QPointF(left, centre.y() - self._middle.y() * size.height()), size)

    def _fraction(self, where: QPointF) -> QPointF:
        place = self._place()
        way = where - place.topLeft()
        return QPointF(way.x() / place.width(), way.y() / place.height())

    def _sharp(self) -> QPixmap:
        """Shrunk with every pixel counted; enlarged by the painter."""
        size = (self._size() * self.devicePixelRatioF()).toSize()
        if size.width() >= self._picture.width():
            return self._picture
        smooth = Qt.TransformationMode.SmoothTransformation
        return self._picture.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
