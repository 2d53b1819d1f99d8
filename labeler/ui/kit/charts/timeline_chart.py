"""The share right over time: points for days or sessions, a moving average, and counts as bars."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from labeler.app.chart_views import TimelinePoint, TimelineView
from labeler.app.keymap import Keymap
from labeler.ui.kit.charts.chart import ChartMark, Plot
from labeler.ui.window.theme import Appearance, TypeSize

_MARGINS = (56.0, 16.0, 24.0, 24.0)  # left, top, right, bottom
_AMOUNT_HEIGHT, _AMOUNT_GAP = 32.0, 8.0
_DOT, _CURRENT_DOT, _INTERVAL = 4.0, 6.0, 1.5
_WIDEST_BAR, _REACH = 16.0, 6.0
_NAME_GAP = 8.0
_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)


class TimelineChart(Plot):
    """A timeline; each day or session with answers is a mark."""

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, keymap)
        self._timeline: TimelineView | None = None
        self.setAccessibleName("Share right over time")

    def render_timeline(self, timeline: TimelineView) -> None:
        self._timeline = timeline
        self.setAccessibleName(f"{timeline.title}: {len(timeline.points)} points")
        self.clear_current()

    def marks(self) -> Sequence[ChartMark]:
        return self._points

    def place(self, number: int) -> QRectF:
        """Return the full height around a point, so that it is easy to hit."""
        half = max(self._place_width / 2, _REACH)
        x = self._x(self._points[number].place)
        return QRectF(x - half, 0, 2 * half, self.height())

    def paint(self, painter: QPainter) -> None:
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        self._paint_grid(painter)
        self._paint_names(painter)
        self._paint_amounts(painter)
        self._paint_moving(painter)
        self._paint_points(painter)

    @property
    def _points(self) -> tuple[TimelinePoint, ...]:
        return self._timeline.points if self._timeline else ()

    # Where things are.

    @property
    def _area(self) -> QRectF:
        left, top, right, bottom = _MARGINS
        below = bottom + _AMOUNT_HEIGHT + _AMOUNT_GAP
        return QRectF(self.rect()).adjusted(left, top, -right, -below)

    @property
    def _place_width(self) -> float:
        if self._timeline is None:
            return self._area.width()
        return self._area.width() / (self._timeline.last - self._timeline.first + 1)

    def _x(self, place: int) -> float:
        assert self._timeline is not None
        return self._area.left() + (place - self._timeline.first + 0.5) * self._place_width

    def _y(self, share: float) -> float:
        return self._area.bottom() - share * self._area.height()

    # Drawing.

    def _paint_grid(self, painter: QPainter) -> None:
        area = self._area
        for share in _GRID:
            # At the centre of a pixel, so that hairlines stay sharp.
            y = round(self._y(share)) + 0.5
            painter.setPen(QPen(self._appearance.colour("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._appearance.colour("muted"))
            label_area = QRectF(0, y - 10, _MARGINS[0] - 8, 20)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(label_area, right, f"{share * 100:.0f} %")

    def _paint_names(self, painter: QPainter) -> None:
        """Label as many points as fit, starting with the last."""
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self._appearance.colour("muted"))
        free_until = float(self.width())
        for point in reversed(self._points):
            width = metrics.horizontalAdvance(point.short)
            x = min(self._x(point.place) - width / 2, self.width() - width - _NAME_GAP)
            if x + width <= free_until:
                painter.drawText(QPointF(x, self.height() - 8), point.short)
                free_until = x - 16

    def _paint_amounts(self, painter: QPainter) -> None:
        most = max((point.answered for point in self._points), default=1)
        floor = self.height() - _MARGINS[3]
        width = max(2.0, min(_WIDEST_BAR, self._place_width * 0.6))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("strong_line"))
        for point in self._points:
            tall = max(2.0, point.answered / most * _AMOUNT_HEIGHT)
            painter.drawRect(QRectF(self._x(point.place) - width / 2, floor - tall, width, tall))

    def _paint_moving(self, painter: QPainter) -> None:
        line = [QPointF(self._x(point.place), self._y(point.moving)) for point in self._points]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._appearance.colour("accent"), 2))
        painter.drawPolyline(QPolygonF(line))

    def _paint_points(self, painter: QPainter) -> None:
        painter.setPen(QPen(self._appearance.colour("strong_line"), _INTERVAL))
        for point in self._points:
            x = self._x(point.place)
            painter.drawLine(QPointF(x, self._y(point.low)), QPointF(x, self._y(point.high)))
        for number, centre, colour in self._dots():
            current = number == self.current
            painter.setPen(QPen(self._appearance.colour("surface"), 1.5))
            painter.setBrush(colour)
            radius = _CURRENT_DOT if current else _DOT
            painter.drawEllipse(centre, radius, radius)
            if current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._appearance.colour("accent"), 2))
                painter.drawEllipse(centre, radius + 3, radius + 3)

    def _dots(self) -> Iterator[tuple[int, QPointF, QColor]]:
        colour = self._appearance.colour("text")
        for number, point in enumerate(self._points):
            yield number, QPointF(self._x(point.place), self._y(point.share)), colour
