"""The results of a search as a grid of pictures, four references a class."""

from typing import ClassVar

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem

from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.result_rows import BranchListRow, ResultRow
from labeler.ui.classes.result_list import branch_words, result_description
from labeler.ui.classes.result_pictures import ResultPictures, picture_keys
from labeler.ui.kit.tables.row_list import RowDelegate, RowList, RowListModel
from labeler.ui.kit.text.text_painter import draw_highlighted
from labeler.ui.window.theme import Appearance, TypeSize

_PICTURES = QSize(124, 94)
_MARGIN = 6
_RING = 2
_ROUND_THE_TILES = 16
NARROWEST_TILE = _PICTURES.width() + 2 * _MARGIN


class ClassTileDelegate(RowDelegate):
    """Paints a class or a branch as a square of pictures with its name below."""

    margins: ClassVar[tuple[int, int]] = (_MARGIN, _MARGIN)

    def __init__(self, appearance: Appearance, pictures: FirstReferences[QImage]) -> None:
        super().__init__(appearance)
        self._pictures = ResultPictures(appearance, pictures)
        self.tile_width = NARROWEST_TILE

    def apply_theme(self) -> None:
        self._names = self.line_style(TypeSize.CAPTION, "text", strong=True)
        self._notes = self.line_style(TypeSize.CAPTION, "muted")
        self._line = QFontMetricsF(self._names.font).height() + 2

    def content_height(self) -> float:
        return _PICTURES.height() + 2 * self._line

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        return QSize(self.tile_width, self.row_height)

    def paint_row(self, painter: QPainter, area: QRectF, row: ResultRow) -> None:
        pictures = QRectF(area.left(), area.top(), area.width(), _PICTURES.height())
        self._pictures.paint(painter, pictures, row, columns=2)
        first = QRectF(area.left(), pictures.bottom() + 2, area.width(), self._line)
        draw_highlighted(painter, first, row.name, spans=row.name_spans, style=self._names)
        if isinstance(row, BranchListRow):
            second = first.translated(0, self._line)
            draw_highlighted(painter, second, branch_words(row), spans=(), style=self._notes)

    def _paint_background(
        self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem
    ) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            inside = area.adjusted(1, 1, -1, -1)
            painter.fillRect(inside, self._appearance.colour("accent_soft"))
            painter.setPen(QPen(self._appearance.colour("accent"), _RING))
            painter.drawRect(inside)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))


class ClassResultGrid(RowList):
    """Shows the results as tiles; the search field keeps the keyboard focus."""

    def __init__(self, appearance: Appearance, *, pictures: FirstReferences[QImage]) -> None:
        model = RowListModel(
            {
                Qt.ItemDataRole.DisplayRole: lambda row: row.name,
                Qt.ItemDataRole.AccessibleDescriptionRole: result_description,
            }
        )
        self._tiles = ClassTileDelegate(appearance, pictures)
        super().__init__(
            appearance,
            "Classes found, as pictures",
            model,
            self._tiles,
            pictures=pictures,
            picture_keys=picture_keys,
        )
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # Or the tiles would change their size whenever it comes or goes.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width between as many tiles as fit."""
        room = self.viewport().width() - _ROUND_THE_TILES
        self._tiles.tile_width = max(NARROWEST_TILE, room // max(1, room // NARROWEST_TILE))
        self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)

    @property
    def columns(self) -> int:
        """How many tiles are next to each other."""
        return max(1, self.viewport().width() // max(1, self.sizeHintForIndex(self._first).width()))

    @property
    def visible_rows(self) -> int:
        """How many tiles a page has."""
        height = max(1, self.sizeHintForIndex(self._first).height())
        return max(1, self.viewport().height() // height) * self.columns

    @property
    def _first(self) -> QModelIndex:
        return self._rows.index(0, 0)

    def _visible_indexes(self) -> list[QModelIndex]:
        first = self.indexAt(QPoint(_MARGIN, _MARGIN)).row()
        if first < 0:
            return []
        last = min(first + self.visible_rows + 2 * self.columns, self._rows.rowCount())
        return [self._rows.index(row, 0) for row in range(first, last)]
