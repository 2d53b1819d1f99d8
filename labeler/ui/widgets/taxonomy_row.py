"""How a row of the taxonomy is painted."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.presenters.class_views import STEP
from labeler.core.taxonomy_tree import TreeRow
from labeler.ui.look import Look
from labeler.ui.theme import TypeSize
from labeler.ui.widgets.line_type import LineType
from labeler.ui.widgets.row_signs import RowSigns, Sign

_ROW_PADDING, _SIDE, _GAP, _BAR = 8, 12, 8, 4
_ELIDED = "…" + STEP


@dataclass(frozen=True, slots=True)
class RowState:
    """What is going on with a row on the screen."""

    current: bool
    hovered: bool
    open: bool


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
        middle = area.center().y()
        left, right = sign_at + _GAP, area.right() - _SIDE
        self._signs.draw(painter, QPointF(sign_at, middle), _sign(row, state))
        if not row.is_class:
            count = f"{row.classes:,}"
            right -= self._counts.width(count)
            self._counts.draw(painter, right, middle, count)
            right -= _GAP
        self._paint_name(painter, left, right, middle=middle, row=row)

    def _paint_ground(self, painter: QPainter, area: QRectF, state: RowState) -> None:
        if state.current:
            painter.fillRect(area, self._selected)
            painter.fillRect(QRectF(area.left(), area.top(), _BAR, area.height()), self._accent)
        elif state.hovered:
            painter.fillRect(area, self._hovered)

    def _paint_name(
        self, painter: QPainter, left: float, right: float, *, middle: float, row: TreeRow
    ) -> None:
        style = self._classes if row.is_class else self._branches
        width = style.width(row.name)
        above = self._fitting(row.folded, right - left - width)
        if above:
            self._folded.draw(painter, left, middle, above)
            left += self._folded.width(above)
        name = row.name if width <= right - left else style.cut(row.name, right - left)
        style.draw(painter, left, middle, name)

    def _fitting(self, folded: tuple[str, ...], room: float) -> str:
        """As much of the folded chain as there is room for; its first steps go first."""
        for start in range(len(folded)):
            text = (_ELIDED if start else "") + STEP.join(folded[start:]) + STEP
            if self._folded.width(text) <= room:
                return text
        return _ELIDED if folded else ""

    def _dress(self) -> None:
        """Make what every row needs once per theme."""
        look = self._look
        text, muted = look.colour("text"), look.colour("muted")
        self._branches = LineType(look.font(TypeSize.BODY), text)
        self._classes = LineType(look.font(TypeSize.BODY, strong=True), text)
        self._folded = LineType(look.font(TypeSize.BODY), muted)
        self._counts = LineType(look.font(TypeSize.CAPTION), muted)
        self._height = round(self._classes.height) + _ROW_PADDING
        self._accent = look.colour("accent")
        self._signs = RowSigns(dot=self._accent, arrow=muted)
        self._selected = look.colour("accent_soft")
        self._hovered = look.colour("hover")


def _sign(row: TreeRow, state: RowState) -> Sign:
    if row.is_class:
        return Sign.CLASS
    return Sign.OPEN if state.open else Sign.CLOSED
