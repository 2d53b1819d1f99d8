"""Bar chart: each bar shows a part of a whole, with its text."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from labeler.app.chart_views import BarChartView, BarView, ImageListSource
from labeler.app.keymap import Keymap
from labeler.ui.kit.charts.chart import ChartMark, Plot
from labeler.ui.window.theme import Appearance, TypeSize

_MAX_ROW_HEIGHT, _TEXT_PADDING = 28.0, 2.0
_THICKNESS, _GAP, _SIDE = 10.0, 12.0, 8.0
_MAX_TITLE_SHARE = 0.45


class _BarMark(NamedTuple):
    words: str
    source: ImageListSource


class BarChart(Plot):
    """A bar chart; each bar is a mark."""

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, keymap)
        self._bars: tuple[BarView, ...] = ()
        self._marks: list[_BarMark] = []

    def render_bars(self, bars: BarChartView) -> None:
        self._bars = bars.bars
        self._marks = [_BarMark(_words(bar, bars.mark), bar.source) for bar in bars.bars]
        self.setAccessibleName(f"{bars.title}: {len(bars.bars)} bars")
        self.updateGeometry()
        self.clear_current()

    def marks(self) -> Sequence[ChartMark]:
        return self._marks

    def start(self) -> int:
        return 0

    def place(self, number: int) -> QRectF:
        return QRectF(0, number * self._row_height + 4, self.width(), self._row_height)

    def sizeHint(self) -> QSize:
        return QSize(480, round(len(self._bars) * max(_MAX_ROW_HEIGHT, self._lowest_row)) + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, round(len(self._bars) * self._lowest_row) + 8)

    def paint(self, painter: QPainter) -> None:
        font = self._appearance.font(TypeSize.BODY)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        for number, bar in enumerate(self._bars):
            self._paint_row(painter, number, bar, metrics)

    @property
    def _row_height(self) -> float:
        rows = max(1, len(self._bars))
        most = max(_MAX_ROW_HEIGHT, self._lowest_row)
        return max(self._lowest_row, min(most, (self.height() - 8) / rows))

    @property
    def _lowest_row(self) -> float:
        return QFontMetricsF(self._appearance.font(TypeSize.BODY)).height() + _TEXT_PADDING

    def _paint_row(
        self, painter: QPainter, number: int, bar: BarView, metrics: QFontMetricsF
    ) -> None:
        row = self.place(number)
        if number == self.current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._appearance.colour("accent_soft"))
            painter.drawRoundedRect(row.adjusted(2, 0, -2, 0), 4, 4)
        inside = row.adjusted(_SIDE, 0, -_SIDE, 0)
        titles, numbers = self._columns(metrics)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self._appearance.colour("text"))
        title = metrics.elidedText(bar.title, Qt.TextElideMode.ElideRight, titles)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, title)
        painter.setPen(self._appearance.colour("muted"))
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, bar.words)
        room = inside.adjusted(titles + _GAP, 0, -numbers - _GAP, 0)
        self._paint_bar(painter, bar, room)

    def _paint_bar(self, painter: QPainter, bar: BarView, room: QRectF) -> None:
        frame = QRectF(room.left(), 0, room.width(), _THICKNESS)
        frame.moveTop(round(room.center().y() - _THICKNESS / 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("line"))
        painter.drawRect(frame)
        painter.setBrush(self._appearance.colour("accent"))
        painter.drawRect(
            QRectF(frame.topLeft(), QPointF(_interpolate(frame, bar.share), frame.bottom()))
        )
        if bar.mark is not None:
            x = round(_interpolate(frame, bar.mark))
            for colour, width in (("surface", 5), ("text", 2)):
                painter.setPen(QPen(self._appearance.colour(colour), width))
                painter.drawLine(QPointF(x, frame.top() - 4), QPointF(x, frame.bottom() + 4))

    def _columns(self, metrics: QFontMetricsF) -> tuple[float, float]:
        """Return the widths of the titles and of the texts."""
        titles = max((metrics.horizontalAdvance(bar.title) for bar in self._bars), default=0.0)
        words = max((metrics.horizontalAdvance(bar.words) for bar in self._bars), default=0.0)
        return min(titles + 1, self.width() * _MAX_TITLE_SHARE), words


def _words(bar: BarView, mark: str) -> str:
    """Return the text of a bar and of the mark on it, which is called `mark`."""
    compared = f"; {mark}: {bar.mark * 100:.0f} %" if bar.mark is not None else ""
    return f"{bar.title}: {bar.words}{compared}"


def _interpolate(frame: QRectF, share: float) -> float:
    return frame.left() + frame.width() * share
