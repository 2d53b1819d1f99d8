"""The list of classes found; the search field controls it."""

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.references import ClassThumbnails
from labeler.ui.kit.tables.row_list import RowDelegate, RowList, RowListModel, draw_fitted
from labeler.ui.kit.text.text_painter import draw_highlighted, elide_path
from labeler.ui.window.theme import Appearance, TypeSize

_PICTURE, _PICTURE_SPACING = QSizeF(64, 48), 12


class ClassResultDelegate(RowDelegate):
    """Paints a class in three lines next to its picture, where there are pictures at all."""

    def __init__(
        self, appearance: Appearance, pictures: ClassThumbnails[QImage] | None = None
    ) -> None:
        super().__init__(appearance)
        self._pictures = pictures

    def apply_theme(self) -> None:
        self._names = self.line_style(TypeSize.BODY, "text", strong=True)
        self._notes = self.line_style(TypeSize.CAPTION, "muted")
        self._name_height = self._names.metrics.height() + 2
        self._note_height = self._notes.metrics.height() + 1

    def content_height(self) -> float:
        lines = self._name_height + 2 * self._note_height
        return lines if self._pictures is None else max(lines, _PICTURE.height())

    def paint_row(self, painter: QPainter, area: QRectF, row: ClassListRow) -> None:
        if self._pictures is not None:
            self._paint_picture(painter, area, self._pictures.get(row.wnid))
            area.setLeft(area.left() + _PICTURE.width() + _PICTURE_SPACING)
        self._paint_lines(painter, area, row)

    def _paint_picture(self, painter: QPainter, area: QRectF, picture: QImage | None) -> None:
        frame = QRectF(area.topLeft(), _PICTURE)
        frame.moveTop(area.top() + (area.height() - _PICTURE.height()) // 2)
        if picture is not None:
            draw_fitted(painter, frame, picture)
            return
        painter.setPen(self._appearance.colour("line"))
        painter.setBrush(self._appearance.colour("hover"))
        painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_lines(self, painter: QPainter, area: QRectF, row: ClassListRow) -> None:
        first = QRectF(area.left(), area.top(), area.width(), self._name_height)
        second = QRectF(area.left(), first.bottom(), area.width(), self._note_height)
        third = second.translated(0, self._note_height)
        names, notes = self._names, self._notes
        path, in_path = elide_path(
            row.path, row.path_spans, metrics=notes.metrics, width=area.width()
        )
        draw_highlighted(painter, first, row.name, spans=row.name_spans, style=names)
        draw_highlighted(painter, second, row.note, spans=row.note_spans, style=notes)
        draw_highlighted(painter, third, path, spans=in_path, style=notes)


class ClassResultList(RowList):
    """Shows the classes that the presenter found; the search field keeps the keyboard focus."""

    def __init__(
        self, appearance: Appearance, *, pictures: ClassThumbnails[QImage] | None = None
    ) -> None:
        model = RowListModel(
            {
                Qt.ItemDataRole.DisplayRole: lambda row: row.name,
                Qt.ItemDataRole.AccessibleDescriptionRole: lambda row: f"{row.note}. {row.path}",
            }
        )
        super().__init__(
            appearance,
            "Classes found",
            model,
            ClassResultDelegate(appearance, pictures),
            pictures=pictures,
            picture_key=lambda row: row.wnid,
        )
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
