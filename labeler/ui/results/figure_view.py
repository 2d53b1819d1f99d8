"""A figure that can be zoomed and panned, with marks that can be hovered and clicked.

Zooming changes the limits of the axes. The part is redrawn; until it arrives, the old picture is
stretched.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.results.results_view import FigureDetail
from labeler.ui.kit.charts.chart import Chart
from labeler.ui.results.figure_viewport import FigureViewport, paint_mark
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

if TYPE_CHECKING:
    from labeler.report.figures.figure import FigureMark, RenderedFigure

_MARGIN = 16
_HIT_DISTANCE = 12.0  # maximum distance from a point, in pixels
_WHEEL_STEP = 120


class FigureView(Chart):
    """Paints a picture in the middle, never distorted.

    `part_wanted` requests a drawing with other axes limits and a width in pixels.
    """

    focus_width = 2
    part_wanted = Signal(object, int)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance)
        self._drawn: RenderedFigure | None = None
        self._seen: FigureViewport | None = None
        self._picture, self._part = QPixmap(), QPixmap()
        self._part_shown: FigureDetail | None = None
        self._part_of: FigureViewport | None = None
        self._grabbed: QPointF | None = None
        self._dragged, self._wheel = False, 0
        self.setMinimumSize(320, 200)
        bind_scope(
            self,
            keymap,
            Scope.RESULTS_FIGURE,
            {
                Action.FIGURE_LARGER: lambda: self.zoom(1),
                Action.FIGURE_SMALLER: lambda: self.zoom(-1),
                Action.FIGURE_WHOLE: self.show_full,
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
        """The zoom factor relative to the whole figure."""
        return 1.0 if self._seen is None else self._seen.zoomed

    def show_figure(self, drawn: "RenderedFigure") -> None:
        self.setAccessibleName(drawn.title)
        if drawn is not self._drawn:
            self._drawn, self._seen = drawn, FigureViewport(drawn.limits, drawn.limits)
            self._picture = QPixmap()
            self._picture.loadFromData(drawn.png)
            self._part, self._part_of = QPixmap(), None
            self.point_at(None)

    def show_part(self, part: FigureDetail | None) -> None:
        """Show the drawing of a part, if it belongs to this figure."""
        if part is None or part.of is not self._drawn:
            return
        if part is not self._part_shown:
            self._part_shown, self._part = part, QPixmap()
            self._part.loadFromData(part.png)
            self._part_of = FigureViewport(part.of.limits, part.limits)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    # Zooming and panning.

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Zoom in, or out with a negative number; the point at `at` stays in place."""
        if self._seen is not None:
            where = self._fraction(self._frame().center() if at is None else at)
            self._see(self._seen.zoom(steps, where.x(), where.y()))

    def show_full(self) -> None:
        if self._seen is not None:
            self._see(self._seen.full_view())

    def move_by(self, dx: int, dy: int) -> None:
        """Pan by tenths of the visible part."""
        if self._seen is not None:
            self._see(self._seen.move(dx / 10, dy / 10))

    # Marks.

    def marks(self) -> "tuple[FigureMark, ...]":
        return () if self._drawn is None else self._drawn.marks

    def step(self, steps: int) -> None:
        """Point at the next mark, or at one before."""
        marks = self.marks()
        if marks:
            at = -1 if self.current is None and steps > 0 else self.current or 0
            self.point_at((at + steps) % len(marks))
            self._ensure_visible(marks[(at + steps) % len(marks)])

    def place_of(self, mark: "FigureMark") -> QPointF:
        """Return the position of a mark's centre in the widget."""
        return self._rect_of(mark).center()

    def paint(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self._appearance.colour("surface"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.is_shown:
            self._paint_picture(painter)
        mark = None if self.current is None else self.marks()[self.current]
        if mark is not None and self._is_visible(mark):
            inside = QRectF(self.rect()).adjusted(4, 4, -4, -4)
            paint_mark(painter, self._appearance, self._rect_of(mark), mark.words, inside)

    def _paint_picture(self, painter: QPainter) -> None:
        place, paper = self._place().toRect(), self._appearance.theme.paper
        # A figure is ink on paper in both themes; the dark theme uses darker paper.
        painter.fillRect(place.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN), QColor(paper))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        self._paint_ink(painter, place)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def _paint_ink(self, painter: QPainter, place: QRect) -> None:
        if self._seen is None or not self._seen.is_part:
            painter.drawPixmap(place, self._sharp())
            return
        if self._part_of == self._seen:
            painter.drawPixmap(place, self._part)
            return
        painter.drawPixmap(place, self._sharp())
        painter.save()
        painter.setClipRect(self._frame())
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.fillRect(self._frame(), QColor(self._appearance.theme.paper))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.drawPixmap(self._stretched(), self._picture, self._frame_in(self._picture))
        painter.restore()

    def _stretched(self) -> QRectF:
        """Return the rectangle of the whole figure's frame at the current zoom."""
        assert self._seen is not None, "a figure must be shown"
        left, top, width, height = self._seen.full_in_fractions()
        frame = self._frame()
        return QRectF(
            frame.left() + left * frame.width(),
            frame.top() + top * frame.height(),
            width * frame.width(),
            height * frame.height(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request a drawing at the new size."""
        super().resizeEvent(event)
        if self._seen is not None and self._seen.is_part:
            self._want_part()

    # Mouse.

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        # A fine wheel or touchpad sends a notch in many small parts.
        self._wheel += event.angleDelta().y()
        steps = int(self._wheel / _WHEEL_STEP)
        self._wheel -= steps * _WHEEL_STEP
        if steps:
            self.zoom(steps, event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grabbed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            if self.hover(event.position()) is None and self.current is not None:
                self.point_at(None)
            return
        way = self._grabbed - event.position()
        if self._seen is not None and (self._dragged or way.manhattanLength() > 4):
            self._dragged, self._grabbed = True, event.position()
            frame = self._frame()
            self._see(self._seen.move(way.x() / frame.width(), way.y() / frame.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._grabbed is not None and not self._dragged
        self._grabbed = None
        if clicked and self.hover(event.position()) is not None:
            self.open_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.zoomed > 1.0:
            self.show_full()
        else:
            self.zoom(3, event.position())

    def mark_at(self, where: QPointF) -> int | None:
        """Return the mark at the position, or the nearest close point."""
        near: list[tuple[float, int]] = []
        for number, mark in enumerate(self.marks()):
            rect = self._rect_of(mark)
            if self._is_visible(mark):
                across = max(rect.left() - where.x(), where.x() - rect.right(), 0.0)
                down = max(rect.top() - where.y(), where.y() - rect.bottom(), 0.0)
                near.append((across**2 + down**2, number))
        distance, number = min(near, default=(_HIT_DISTANCE**2 + 1, 0))
        return number if distance <= _HIT_DISTANCE**2 else None

    def _is_visible(self, mark: "FigureMark") -> bool:
        return (
            self._frame()
            .adjusted(-1, -1, 1, 1)
            .intersects(self._rect_of(mark).adjusted(-0.5, -0.5, 0.5, 0.5))
        )

    def _ensure_visible(self, mark: "FigureMark") -> None:
        if self._seen is not None and not self._is_visible(mark):
            self._see(self._seen.centred_on(mark.x, mark.y))

    def _see(self, seen: FigureViewport) -> None:
        if seen != self._seen:
            self._seen = seen
            self._want_part()
            self.update()

    def _want_part(self) -> None:
        if self._seen is not None:
            width = round(self._size().width() * self.devicePixelRatioF())
            self.part_wanted.emit(self._seen.limits, max(width, 1))

    # Geometry.

    def _size(self) -> QSizeF:
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN)
        picture = QSizeF(self._picture.size()) if self.is_shown else QSizeF(1, 1)
        fitted = picture.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        # On a large screen, the text of a small figure would be too large.
        return fitted.boundedTo(picture / self.devicePixelRatioF())

    def _place(self) -> QRectF:
        size, centre = self._size(), QPointF(self.rect().center())
        half = QPointF(size.width() / 2, size.height() / 2)
        return QRectF(centre - half, size)

    def _frame(self) -> QRectF:
        """The rectangle of the axes in the widget."""
        return self._framed(self._place())

    def _frame_in(self, picture: QPixmap) -> QRectF:
        return self._framed(QRectF(picture.rect()))

    def _framed(self, place: QRectF) -> QRectF:
        if self._drawn is None:
            return place
        left, top, width, height = self._drawn.frame
        return QRectF(
            place.left() + left * place.width(),
            place.top() + top * place.height(),
            width * place.width(),
            height * place.height(),
        )

    def _rect_of(self, mark: "FigureMark") -> QRectF:
        """Return the rectangle of a mark in the widget; a point has no size."""
        assert self._seen is not None, "a figure must be shown"
        frame, half = self._frame(), (mark.width / 2, mark.height / 2)
        corners = [
            self._seen.fraction(mark.x + side * half[0], mark.y + side * half[1])
            for side in (-1, 1)
        ]
        ends = [
            QPointF(frame.left() + x * frame.width(), frame.top() + y * frame.height())
            for x, y in corners
        ]
        return QRectF(ends[0], ends[1]).normalized()

    def _fraction(self, where: QPointF) -> QPointF:
        """Return the position as fractions of the frame's width and height."""
        frame = self._frame()
        way = where - frame.topLeft()
        return QPointF(way.x() / frame.width(), way.y() / frame.height())

    def _sharp(self) -> QPixmap:
        """Scale down smoothly."""
        size = (self._size() * self.devicePixelRatioF()).toSize()
        if size.width() >= self._picture.width():
            return self._picture
        smooth = Qt.TransformationMode.SmoothTransformation
        return self._picture.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
