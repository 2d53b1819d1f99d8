"""How a row of the taxonomy is painted."""

from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.core.classes.taxonomy_tree import TaxonomyTreeRow
from labeler.ui.classes.result_pictures import paint_missing
from labeler.ui.classes.taxonomy.tree_pictures import (
    PICTURE_HEIGHT,
    PICTURE_WIDTH,
    TreePictures,
)
from labeler.ui.kit.text.text_painter import StaticTextPainter
from labeler.ui.window.theme import Appearance, TypeSize

SYMBOL_SIZE = 12
_DOT = 2.5
_CLOSED = QPolygonF([QPointF(4, 2), QPointF(8, 6), QPointF(4, 10)])
_OPEN = QPolygonF([QPointF(2, 4), QPointF(6, 8), QPointF(10, 4)])


class RowSymbols:
    """A dot for a class, an arrow for a branch: to the right when closed, down when open."""

    def __init__(self, *, dot: QColor, arrow: QColor, dense: float) -> None:
        self.dense = dense
        self.dot = self._blank()
        painter = _painter(self.dot)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(dot)
        painter.drawEllipse(QPointF(SYMBOL_SIZE / 2, SYMBOL_SIZE / 2), _DOT, _DOT)
        painter.end()
        self.closed, self.open = (self._arrow(way, arrow) for way in (_CLOSED, _OPEN))

    def _arrow(self, way: QPolygonF, colour: QColor) -> QPixmap:
        pixmap = self._blank()
        painter = _painter(pixmap)
        painter.setPen(QPen(colour, 1.5))
        painter.drawPolyline(way)
        painter.end()
        return pixmap

    def _blank(self) -> QPixmap:
        pixmap = QPixmap(round(SYMBOL_SIZE * self.dense), round(SYMBOL_SIZE * self.dense))
        pixmap.setDevicePixelRatio(self.dense)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap


def _painter(pixmap: QPixmap) -> QPainter:
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


_ROW_PADDING, _SIDE, _GAP, _BAR = 8, 8, 8, 4
_PATH_ELLIPSIS = "…" + PATH_SEPARATOR


class TaxonomyRowState(NamedTuple):
    """What is going on with a row on the screen."""

    current: bool
    hovered: bool
    open: bool


class TaxonomyRowDelegate(QStyledItemDelegate):
    """Paints branches with an arrow and their class count, superclasses and classes in strong type.

    Superclasses and classes have a picture; a class without references has a dot.
    """

    def __init__(self, appearance: Appearance, pictures: TreePictures | None = None) -> None:
        super().__init__()
        self._appearance = appearance
        self._pictures = pictures
        self._width = 0
        self._signs: RowSymbols
        appearance.changed.connect(self._apply_theme)
        self._apply_theme()

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        return QSize(160, self.height)

    def prepare(self, *, width: int, dense: float) -> None:
        """Get ready for rows of a width on a screen of so many pixels to the point."""
        self._width = width
        if self._signs.dense != dense:
            self._signs = self._make_signs(dense)

    def paint_row(
        self,
        painter: QPainter,
        top: int,
        row: TaxonomyTreeRow,
        *,
        sign_at: int,
        state: TaxonomyRowState,
    ) -> None:
        """Paint a row over its whole width; `sign_at` is where its arrow or dot is."""
        self._paint_ground(painter, top, state)
        middle = top + self.height // 2
        left, right = sign_at + _GAP, self._width - _SIDE
        pictured = self._paint_picture(painter, left, middle, row)
        if not (row.is_class and pictured):
            sign = self._sign(row, state)
            painter.drawPixmap(sign_at - SYMBOL_SIZE // 2, middle - SYMBOL_SIZE // 2, sign)
        left += PICTURE_WIDTH + _GAP if pictured else 0
        if not row.is_class:
            count = f"{row.classes:,}"
            right -= self._counts.width(count)
            self._counts.draw(painter, right, middle, count)
            right -= _GAP
        self._paint_name(painter, left, right, middle=middle, row=row)

    def _paint_picture(
        self, painter: QPainter, left: int, middle: int, row: TaxonomyTreeRow
    ) -> bool:
        """Paint the picture of a row that has one, or its space while it is loading."""
        if self._pictures is None or not (row.is_top or row.is_class):
            return False
        area = QRect(left, middle - PICTURE_HEIGHT // 2, PICTURE_WIDTH, PICTURE_HEIGHT)
        if self._pictures.paint(painter, area, row.key):
            return True
        if not (row.is_top and self._pictures.has_any):
            return False
        # The names of superclasses are in line.
        paint_missing(painter, QRectF(area), self._appearance)
        return True

    def _paint_ground(self, painter: QPainter, top: int, state: TaxonomyRowState) -> None:
        if state.current:
            painter.fillRect(0, top, self._width, self.height, self._selected)
            painter.fillRect(0, top, _BAR, self.height, self._accent)
        elif state.hovered:
            painter.fillRect(0, top, self._width, self.height, self._hovered)

    def _sign(self, row: TaxonomyTreeRow, state: TaxonomyRowState) -> QPixmap:
        if row.is_class:
            return self._signs.dot
        return self._signs.open if state.open else self._signs.closed

    def _paint_name(
        self, painter: QPainter, left: int, right: int, *, middle: int, row: TaxonomyTreeRow
    ) -> None:
        style = self._classes if row.is_class or row.is_top else self._branches
        width = style.width(row.name)
        if row.folded:
            above = self._fitting(row.folded, right - left - width)
            if above:
                self._folded.draw(painter, left, middle, above)
                left += self._folded.width(above)
        name = row.name if width <= right - left else style.cut(row.name, right - left)
        style.draw(painter, left, middle, name)

    def _fitting(self, folded: tuple[str, ...], room: int) -> str:
        """As much of the folded chain as the name leaves room for; its first steps go first."""
        width, step = self._folded.width, self._folded.width(PATH_SEPARATOR)
        room -= sum(map(width, folded)) + len(folded) * step
        if room >= 0:
            return "".join(name + PATH_SEPARATOR for name in folded)
        room -= width(_PATH_ELLIPSIS)
        # That there are steps above matters less than the name's last letters.
        for start, name in enumerate(folded, 1):
            room += width(name) + step
            if room >= 0:
                return _PATH_ELLIPSIS + "".join(name + PATH_SEPARATOR for name in folded[start:])
        return ""

    def _apply_theme(self) -> None:
        """Make what every row needs once per theme."""
        appearance = self._appearance
        text, muted = appearance.colour("text"), appearance.colour("muted")
        self._branches = StaticTextPainter(appearance.font(TypeSize.BODY), text)
        self._classes = StaticTextPainter(appearance.font(TypeSize.BODY, strong=True), text)
        self._folded = StaticTextPainter(appearance.font(TypeSize.BODY), muted)
        self._counts = StaticTextPainter(appearance.font(TypeSize.CAPTION), muted)
        self.height = round(self._classes.height) + _ROW_PADDING
        self._accent = appearance.colour("accent")
        self._signs = self._make_signs(1.0)
        self._selected = appearance.colour("accent_soft")
        self._hovered = appearance.colour("hover")

    def _make_signs(self, dense: float) -> RowSymbols:
        return RowSymbols(dot=self._accent, arrow=self._appearance.colour("muted"), dense=dense)
