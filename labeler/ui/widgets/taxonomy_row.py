"""How a row of the taxonomy is painted."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.presenters.class_views import STEP
from labeler.core.taxonomy_tree import TreeRow
from labeler.ui.look import Look
from labeler.ui.theme import TypeSize

_ROW_PADDING, _SIDE, _GAP, _BAR = 8, 12, 8, 4
_DOT = 2.5
_ELIDED = "…" + STEP
_CLOSED = QPolygonF([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])
_OPEN = QPolygonF([QPointF(-4, -2), QPointF(0, 2), QPointF(4, -2)])


@dataclass(frozen=True, slots=True)
class RowState:
    """What is going on with a row on the screen."""

    current: bool
    hovered: bool
    open: bool


@dataclass(frozen=True, slots=True)
class _Type:
    """A font with its measures and its colour."""

    font: QFont
    metrics: QFontMetricsF
    colour: QColor


class TaxonomyRowPainter(QStyledItemDelegate):
    """Paints branches with an arrow and their class count, classes with a dot in strong type."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        look.changed.connect(self._dress)
        self._dress()

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        return QSize(160, self._height)

    def paint_row(
        self, painter: QPainter, area: QRectF, row: TreeRow, *, sign_at: float, state: RowState
    ) -> None:
        """Paint a row over its whole width; `sign_at` is where its arrow or dot stands."""
        self._paint_ground(painter, area, state)
        self._paint_sign(painter, QPointF(sign_at, area.center().y()), row, state)
        text = QRectF(area)
        text.setLeft(sign_at + _GAP)
        text.setRight(area.right() - _SIDE)
        if not row.is_class:
            text.setRight(self._paint_count(painter, text, f"{row.classes:,}") - _GAP)
        self._paint_name(painter, text, row)

    def _paint_ground(self, painter: QPainter, area: QRectF, state: RowState) -> None:
        if state.current:
            painter.fillRect(area, self._selected)
            painter.fillRect(QRectF(area.left(), area.top(), _BAR, area.height()), self._accent)
        elif state.hovered:
            painter.fillRect(area, self._hovered)

    def _paint_sign(
        self, painter: QPainter, centre: QPointF, row: TreeRow, state: RowState
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.is_class:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._accent)
            painter.drawEllipse(centre, _DOT, _DOT)
        else:
            painter.setPen(self._arrow)
            painter.drawPolyline((_OPEN if state.open else _CLOSED).translated(centre))

    def _paint_count(self, painter: QPainter, area: QRectF, count: str) -> float:
        """Paint the number at the right, and tell where it begins."""
        left = area.right() - self._counts.metrics.horizontalAdvance(count)
        self._draw(painter, left, area, count, self._counts)
        return left

    def _paint_name(self, painter: QPainter, area: QRectF, row: TreeRow) -> None:
        style = self._classes if row.is_class else self._branches
        width = style.metrics.horizontalAdvance(row.name)
        above = self._fitting(row.folded, area.width() - width)
        x = area.left()
        if above:
            self._draw(painter, x, area, above, self._folded)
            x += self._folded.metrics.horizontalAdvance(above)
        room = area.right() - x
        name = row.name if width <= room else _cut(row.name, style, room)
        self._draw(painter, x, area, name, style)

    def _fitting(self, folded: tuple[str, ...], room: float) -> str:
        """As much of the folded chain as there is room for; its first steps go first."""
        for start in range(len(folded)):
            text = (_ELIDED if start else "") + STEP.join(folded[start:]) + STEP
            if self._folded.metrics.horizontalAdvance(text) <= room:
                return text
        return _ELIDED if folded else ""

    def _draw(self, painter: QPainter, x: float, area: QRectF, text: str, style: _Type) -> None:
        metrics = style.metrics
        baseline = area.top() + (area.height() + metrics.ascent() - metrics.descent()) / 2
        painter.setFont(style.font)
        painter.setPen(style.colour)
        painter.drawText(QPointF(x, baseline), text)

    def _dress(self) -> None:
        """Make what every row needs once per theme."""
        look = self._look
        self._branches = self._type(look.font(TypeSize.BODY), "text")
        self._classes = self._type(look.font(TypeSize.BODY, strong=True), "text")
        self._folded = self._type(look.font(TypeSize.BODY), "muted")
        self._counts = self._type(look.font(TypeSize.CAPTION), "muted")
        self._height = round(self._classes.metrics.height()) + _ROW_PADDING
        self._arrow = QPen(look.colour("muted"), 1.5)
        self._accent = look.colour("accent")
        self._selected = look.colour("accent_soft")
        self._hovered = look.colour("hover")

    def _type(self, font: QFont, colour: str) -> _Type:
        return _Type(font, QFontMetricsF(font), self._look.colour(colour))


def _cut(name: str, style: _Type, room: float) -> str:
    return style.metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
