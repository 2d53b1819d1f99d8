"""The results of a search as a list; the search field controls it."""

from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.result_rows import BranchListRow, ResultRow
from labeler.core.text import count_noun
from labeler.ui.classes.result_pictures import PICTURE_GAP, ResultPictures, picture_keys
from labeler.ui.kit.tables.row_list import RowDelegate, RowList, RowListModel
from labeler.ui.kit.text.text_painter import draw_highlighted, elide_path
from labeler.ui.window.theme import Appearance, TypeSize

_PICTURES = 3
_PICTURE = QSizeF(56, 42)
_STRIP = QSizeF(_PICTURES * _PICTURE.width() + (_PICTURES - 1) * PICTURE_GAP, _PICTURE.height())
_NARROW = 420
_SPACING = 12
_CHIP_PADDING, _CHEVRON = 8, 4


class ClassResultDelegate(RowDelegate):
    """Paints a class or a branch in three lines next to its pictures."""

    margins: ClassVar[tuple[int, int]] = (12, 3)

    def __init__(
        self, appearance: Appearance, pictures: FirstReferences[QImage] | None = None
    ) -> None:
        super().__init__(appearance)
        self._pictures = None if pictures is None else ResultPictures(appearance, pictures)

    def apply_theme(self) -> None:
        self._names = self.line_style(TypeSize.BODY, "text", strong=True)
        self._notes = self.line_style(TypeSize.CAPTION, "muted")
        self._name_height = self._names.metrics.height() + 2
        self._note_height = self._notes.metrics.height()

    def content_height(self) -> float:
        lines = self._name_height + 2 * self._note_height
        return lines if self._pictures is None else max(lines, 52.0)

    def paint_row(self, painter: QPainter, area: QRectF, row: ResultRow) -> None:
        self._paint_line_below(painter, area)
        if self._pictures is not None:
            strip = QRectF(area.topLeft(), self._strip(area.width()))
            strip.moveTop(area.top() + (area.height() - strip.height()) // 2)
            columns = round((strip.width() + PICTURE_GAP) / (_PICTURE.width() + PICTURE_GAP))
            self._pictures.paint(painter, strip, row, columns=columns)
            area.setLeft(strip.right() + _SPACING)
        if isinstance(row, BranchListRow):
            self._paint_branch(painter, area, row)
        else:
            self._paint_class(painter, area, row)

    def _strip(self, width: float) -> QSizeF:
        """Return the size of the pictures; a narrow list has room for one."""
        return _STRIP if width >= _NARROW else _PICTURE

    def _paint_line_below(self, painter: QPainter, area: QRectF) -> None:
        side, margin = self.margins
        bottom = area.bottom() + margin - 1
        painter.fillRect(
            QRectF(area.left() - side, bottom, area.width() + 2 * side, 1),
            self._appearance.colour("line"),
        )

    def _lines(self, area: QRectF) -> tuple[QRectF, QRectF, QRectF]:
        height = self._name_height + 2 * self._note_height
        top = area.top() + max(0.0, (area.height() - height) // 2)
        first = QRectF(area.left(), top, area.width(), self._name_height)
        second = QRectF(area.left(), first.bottom(), area.width(), self._note_height)
        return first, second, second.translated(0, self._note_height)

    def _paint_class(self, painter: QPainter, area: QRectF, row: ClassListRow) -> None:
        first, second, third = self._lines(area)
        names, notes = self._names, self._notes
        path, in_path = elide_path(
            row.path, row.path_spans, metrics=notes.metrics, width=area.width()
        )
        draw_highlighted(painter, first, row.name, spans=row.name_spans, style=names)
        draw_highlighted(painter, second, row.note, spans=row.note_spans, style=notes)
        draw_highlighted(painter, third, path, spans=in_path, style=notes)

    def _paint_branch(self, painter: QPainter, area: QRectF, row: BranchListRow) -> None:
        first, second, third = self._lines(area.adjusted(0, 0, -20, 0))
        draw_highlighted(painter, first, row.name, spans=row.name_spans, style=self._names)
        width = QFontMetricsF(self._names.font).horizontalAdvance(row.name)
        self._paint_chip(painter, first, first.left() + width + _SPACING, branch_words(row))
        draw_highlighted(painter, second, row.note, spans=row.note_spans, style=self._notes)
        draw_highlighted(painter, third, OPENS, spans=(), style=self._notes)
        self._paint_chevron(painter, QPointF(area.right() - 6, area.center().y()))

    def _paint_chip(self, painter: QPainter, line: QRectF, left: float, words: str) -> None:
        metrics = self._notes.metrics
        chip = QRectF(
            left,
            line.top() + (line.height() - metrics.height()) / 2,
            metrics.horizontalAdvance(words) + 2 * _CHIP_PADDING,
            metrics.height() + 1,
        )
        if chip.right() > line.right():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._appearance.colour("strong_line"))
        painter.setBrush(self._appearance.colour("raised"))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setFont(self._notes.font)
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_chevron(self, painter: QPainter, tip: QPointF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._appearance.colour("muted"), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        back = QPointF(-_CHEVRON, -_CHEVRON)
        painter.drawPolyline(QPolygonF([tip + back, tip, tip + QPointF(-_CHEVRON, _CHEVRON)]))


OPENS = "Opens its classes side by side"


def branch_words(row: BranchListRow) -> str:
    return f"group · {count_noun(row.classes, 'class', 'classes')}"


def result_description(row: ResultRow) -> str:
    """Describe a row to assistive technology."""
    if isinstance(row, BranchListRow):
        return f"{branch_words(row)}. {row.note}"
    return f"{row.note}. {row.path}"


class ClassResultList(RowList):
    """Shows the results that the presenter found; the search field keeps the keyboard focus."""

    def __init__(
        self, appearance: Appearance, *, pictures: FirstReferences[QImage] | None = None
    ) -> None:
        model = RowListModel(
            {
                Qt.ItemDataRole.DisplayRole: lambda row: row.name,
                Qt.ItemDataRole.AccessibleDescriptionRole: result_description,
            }
        )
        super().__init__(
            appearance,
            "Classes found",
            model,
            ClassResultDelegate(appearance, pictures),
            pictures=pictures,
            picture_keys=picture_keys,
        )
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
