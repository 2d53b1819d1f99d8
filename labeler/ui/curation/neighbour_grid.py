"""Up to ten neighbours of a candidate, each with its distance against the limit."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from labeler.app.curation.duplicate_views import NeighbourView
from labeler.core.curation.entities import PairVerdict
from labeler.core.study.entities import ImageKey
from labeler.ui.window.theme import Appearance, TypeSize

COLUMNS = 4
KEPT = "kept"
_GAP, _PADDING, _RADIUS = 8, 4, 6
_PICTURE_RATIO = 0.75
_BAR_HEIGHT, _TICK_HEIGHT = 4, 10
_LARGEST_PICTURE = 280
_WORDS = {
    PairVerdict.DUPLICATE: "✓ duplicate",
    PairVerdict.DISTINCT: "× distinct",
    PairVerdict.UNCLEAR: "? unclear",
}
assert set(_WORDS) == set(PairVerdict), "every verdict has its words"


class NeighbourGrid(QWidget):
    """Paints the neighbours in order; a click focuses one, a double click marks it."""

    focused = Signal(int)
    marked = Signal(int)

    def __init__(
        self, appearance: Appearance, picture: Callable[[ImageKey], QImage | None]
    ) -> None:
        super().__init__()
        self._appearance, self._picture = appearance, picture
        self._neighbours: Sequence[NeighbourView] = ()
        self._cursor = 0
        self._scaled: dict[ImageKey, QPixmap] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Neighbours")
        appearance.changed.connect(self.update)

    def show_neighbours(self, neighbours: Sequence[NeighbourView], cursor: int) -> None:
        moved = cursor != self._cursor
        self._neighbours, self._cursor = neighbours, cursor
        if moved:
            self._announce()
        self.update()

    def update_picture(self, _image: ImageKey) -> None:
        self.update()

    def tile(self, index: int) -> QRect:
        """Return the rectangle of a neighbour."""
        row, column = divmod(index, COLUMNS)
        wide, high = self._tile_size()
        return QRect(column * (wide + _GAP), row * (high + _GAP), wide, high)

    def sizeHint(self) -> QSize:
        return QSize(760, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(480, 360)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event)
        if index is not None:
            self.setFocus()
            self.focused.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event)
        if index is not None:
            self.marked.emit(index)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for index, neighbour in enumerate(self._neighbours):
            self._paint_tile(painter, self.tile(index), neighbour, index == self._cursor)

    def _index_at(self, event: QMouseEvent) -> int | None:
        point = event.position().toPoint()
        places = range(len(self._neighbours))
        return next((index for index in places if self.tile(index).contains(point)), None)

    def _tile_size(self) -> tuple[int, int]:
        caption = self._caption_height()
        rows = 3
        most_high = (self.height() - (rows - 1) * _GAP) // rows - caption - _PADDING
        wide = (self.width() - (COLUMNS - 1) * _GAP) // COLUMNS
        picture = min(wide - 2 * _PADDING, round(most_high / _PICTURE_RATIO), _LARGEST_PICTURE)
        picture = max(picture, 48)
        return picture + 2 * _PADDING, round(picture * _PICTURE_RATIO) + caption + _PADDING

    def _caption_height(self) -> int:
        line = QFontMetrics(self._appearance.font(TypeSize.CAPTION)).height()
        return 2 * line + 2 * _PADDING

    def _paint_tile(
        self, painter: QPainter, tile: QRect, neighbour: NeighbourView, current: bool
    ) -> None:
        colour = self._appearance.colour
        painter.setPen(QPen(colour("accent" if current else "line"), 2 if current else 1))
        painter.setBrush(colour("surface"))
        painter.drawRoundedRect(QRectF(tile).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        picture = tile.adjusted(_PADDING, _PADDING, -_PADDING, -self._caption_height())
        self._paint_picture(painter, picture, neighbour)
        self._paint_pill(painter, picture.adjusted(6, 6, 0, 0), neighbour.place, top=True)
        if neighbour.is_kept:
            self._paint_pill(painter, picture.adjusted(6, 34, 0, 0), KEPT, top=True, strong=True)
        if neighbour.verdict is not None:
            self._paint_pill(
                painter,
                picture.adjusted(6, 0, 0, -6),
                _WORDS[neighbour.verdict],
                top=False,
                strong=neighbour.verdict is PairVerdict.DUPLICATE,
            )
        below = QRect(tile.left(), picture.bottom() + 1, tile.width(), self._caption_height())
        self._paint_distance(painter, below.adjusted(8, 2, -8, -2), neighbour)

    def _paint_picture(self, painter: QPainter, place: QRect, neighbour: NeighbourView) -> None:
        painter.fillRect(place, self._appearance.colour("surround"))
        image = self._picture(neighbour.image)
        if image is None:
            return
        ratio = self.devicePixelRatioF()
        box = (place.size().toSizeF() * ratio).toSize()
        size = image.size().scaled(box, Qt.AspectRatioMode.KeepAspectRatio)
        known = self._scaled.get(neighbour.image)
        if known is None or known.size() != size:
            known = QPixmap.fromImage(
                image.scaled(
                    size,
                    Qt.AspectRatioMode.IgnoreAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
            )
            known.setDevicePixelRatio(ratio)
            self._scaled = {**dict(list(self._scaled.items())[-32:]), neighbour.image: known}
        frame = QRect(place.topLeft(), known.deviceIndependentSize().toSize())
        frame.moveCenter(place.center())
        painter.drawPixmap(frame.topLeft(), known)

    def _paint_pill(
        self, painter: QPainter, place: QRect, words: str, *, top: bool, strong: bool = False
    ) -> None:
        colour = self._appearance.colour
        painter.setFont(self._appearance.font(TypeSize.CAPTION, strong=strong))
        metrics = painter.fontMetrics()
        wide, high = metrics.horizontalAdvance(words) + 16, metrics.height() + 6
        pill = QRect(place.left(), place.top(), min(wide, place.width() - 6), high)
        if not top:
            pill.moveBottom(place.bottom())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent" if strong else "raised"))
        painter.drawRoundedRect(QRectF(pill), 4 if top else high / 2, 4 if top else high / 2)
        painter.setPen(colour("on_accent" if strong else "text"))
        cut = metrics.elidedText(words, Qt.TextElideMode.ElideRight, pill.width() - 8)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, cut)

    def _paint_distance(self, painter: QPainter, place: QRect, neighbour: NeighbourView) -> None:
        colour = self._appearance.colour
        painter.setFont(self._appearance.font(TypeSize.CAPTION, strong=True))
        metrics = painter.fontMetrics()
        number = metrics.horizontalAdvance(neighbour.text) + 8
        painter.setPen(colour("text"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        painter.drawText(place, right, neighbour.text)
        # The limit is in the middle of the bar.
        middle = place.top() + metrics.height() // 2
        bar = QRectF(place.left(), middle - _BAR_HEIGHT / 2, place.width() - number, _BAR_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("line"))
        painter.drawRoundedRect(bar, 2, 2)
        share = neighbour.distance / neighbour.limit if neighbour.limit else 0.0
        painter.setBrush(colour("accent"))
        filled = QRectF(bar)
        filled.setWidth(bar.width() * min(share / 2, 1.0))
        painter.drawRoundedRect(filled, 2, 2)
        tick = QRectF(bar.center().x() - 1, middle - _TICK_HEIGHT / 2, 2, _TICK_HEIGHT)
        painter.fillRect(tick, colour("text"))
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setPen(colour("muted"))
        lower = place.adjusted(0, metrics.height(), 0, 0)
        cut = painter.fontMetrics().elidedText(
            neighbour.others, Qt.TextElideMode.ElideRight, lower.width()
        )
        painter.drawText(lower, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, cut)

    def _announce(self) -> None:
        """Tell screen readers which neighbour has the cursor."""
        if self._cursor < len(self._neighbours):
            found = self._neighbours[self._cursor]
            words = "" if found.verdict is None else f", {found.verdict}"
            words += f", {KEPT}" if found.is_kept else ""
            text = f"Neighbour {self._cursor + 1}: {found.place}, distance {found.text}{words}"
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
