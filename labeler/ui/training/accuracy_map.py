"""A small map of the families, coloured by the share right; each leads to its training."""

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip

from labeler.app.chart_views import AccuracyLevel, AccuracyMapView, AccuracyRow, AccuracyTile
from labeler.app.keymap import Keymap
from labeler.core.training.request import TrainingRequest
from labeler.ui.kit.charts.chart import ChartMark, Plot
from labeler.ui.window.theme import Appearance, TypeSize

_ROW, _GAP, _SIDE = 30.0, 2.0, 8.0
_TITLE_SHARE, _MIN_TILE = 0.24, 34.0
_COLOURS = {
    AccuracyLevel.LOW: "wrong",
    AccuracyLevel.MIDDLE: "unclear",
    AccuracyLevel.HIGH: "correct",
    AccuracyLevel.NEVER_SEEN: "line",
}
assert set(_COLOURS) == set(AccuracyLevel), "every level has its colour"


def level_colour(appearance: Appearance, level: AccuracyLevel) -> QColor:
    return appearance.colour(_COLOURS[level])


class AccuracyMap(Plot):
    """A row for each superclass; a family is as wide as it has classes, with its share right."""

    train_wanted = Signal(TrainingRequest)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance, keymap)
        self._rows: tuple[AccuracyRow, ...] = ()
        self._tiles: list[AccuracyTile] = []
        self._can_train = False

    def render_map(self, view: AccuracyMapView, *, can_train: bool) -> None:
        self._rows, self._can_train = view.rows, can_train
        self._tiles = [tile for row in view.rows for tile in row.tiles]
        self.setAccessibleName(f"{view.title}: {len(self._tiles)} families")
        self.updateGeometry()
        self.clear_current()

    @property
    def current_request(self) -> TrainingRequest | None:
        """The training on the current family."""
        return None if self.current is None else self._tiles[self.current].request

    def marks(self) -> Sequence[ChartMark]:
        return self._tiles

    def start(self) -> int:
        return 0

    def place(self, number: int) -> QRectF:
        for place, row in enumerate(self._rows):
            if number < len(row.tiles):
                return self._row_tiles(place, row)[number]
            number -= len(row.tiles)
        return QRectF()

    def sizeHint(self) -> QSize:
        return QSize(480, round(len(self._rows) * _ROW) + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # A family stays selected on the way to the button that trains on it.
        found = self.mark_at(event.position()) is not None
        cursor = Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor
        self.setCursor(cursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self.mark_at(event.position())
        if number is not None and self._can_train:
            self.train_wanted.emit(self._tiles[number].request)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.mark_at(QPointF(event.pos()))
            words = "" if number is None else self._tiles[number].words
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paint(self, painter: QPainter) -> None:
        painter.setFont(self._appearance.font(TypeSize.BODY))
        metrics = QFontMetricsF(painter.font())
        middle = Qt.AlignmentFlag.AlignVCenter
        number = 0
        for place, row in enumerate(self._rows):
            room = QRectF(_SIDE, 4 + place * _ROW, self._titles - 2 * _SIDE, _ROW)
            painter.setFont(self._appearance.font(TypeSize.BODY))
            painter.setPen(self._appearance.colour("text"))
            title = metrics.elidedText(row.title, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, middle, title)
            painter.setFont(self._appearance.font(TypeSize.CAPTION))
            for tile, area in zip(row.tiles, self._row_tiles(place, row), strict=True):
                self._paint_tile(painter, tile, area, current=number == self.current)
                number += 1

    def _paint_tile(
        self, painter: QPainter, tile: AccuracyTile, area: QRectF, *, current: bool
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(level_colour(self._appearance, tile.level))
        painter.drawRoundedRect(area, 2, 2)
        seen = tile.level is not AccuracyLevel.NEVER_SEEN
        painter.setPen(self._appearance.colour("on_accent" if seen else "muted"))
        metrics = QFontMetricsF(painter.font())
        inside = area.adjusted(4, 0, -4, 0)
        shown = f"{tile.title} {tile.number}"
        if metrics.horizontalAdvance(shown) > inside.width():
            shown = tile.number
        painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, shown)
        if current:
            self._paint_ring(painter, area)

    def _paint_ring(self, painter: QPainter, area: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in (("surface", 4), ("text", 2)):
            painter.setPen(QPen(self._appearance.colour(colour), width))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 2, 2)

    @property
    def _titles(self) -> float:
        return self.width() * _TITLE_SHARE

    def _row_tiles(self, place: int, row: AccuracyRow) -> list[QRectF]:
        """Share the width among the tiles of a row: a least one each, the rest by classes."""
        room = self.width() - self._titles - _SIDE
        least = min(_MIN_TILE, room / len(row.tiles))
        spare = room - least * len(row.tiles)
        classes = sum(tile.classes for tile in row.tiles)
        widths = [least + spare * tile.classes / classes for tile in row.tiles]
        lefts = accumulate(widths, initial=self._titles)
        top = 4 + place * _ROW
        return [
            QRectF(left, top, width, _ROW).adjusted(0, _GAP, -_GAP, -_GAP)
            for left, width in zip(lefts, widths, strict=False)
        ]
