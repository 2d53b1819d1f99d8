"""A table with the first rows of a file to be imported."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from labeler.store.exchange.preview import FilePreview
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.tables.text_table import text_table
from labeler.ui.kit.text.labels import label

_MAX_COLUMN_WIDTH = 260


class FilePreviewTable(QWidget):
    """Shows the first rows of one file; the tooltip has the full text of long values."""

    def __init__(self) -> None:
        super().__init__()
        self._files: Sequence[FilePreview] = ()
        self.title = label(rank="caption")
        self.rows = text_table("First rows", ())
        self.rows.setSelectionMode(self.rows.SelectionMode.NoSelection)
        self.rows.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        vbox(self.title, self.rows, on=self, spacing=4)

    def show_files(self, files: Sequence[FilePreview]) -> None:
        """Show the first file that has rows."""
        self._files = files
        self.choose(next((place for place, file in enumerate(files) if file.rows), -1))

    def choose(self, place: int) -> None:
        """Show the rows of the file at this index; hide the table if there is no such file."""
        if not 0 <= place < len(self._files):
            self.hide()
            return
        file = self._files[place]
        self.title.setText(
            f"First rows of {file.file}" if file.rows else f"{file.file} has no rows"
        )
        self.rows.clear()
        self.rows.setColumnCount(len(file.columns))
        self.rows.setHeaderLabels(list(file.columns))
        for row in file.rows:
            item = QTreeWidgetItem(list(map(_one_line, row)))
            for column, text in enumerate(row):
                item.setToolTip(column, text)
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignVCenter)
            self.rows.addTopLevelItem(item)
        for column in range(len(file.columns)):
            self.rows.resizeColumnToContents(column)
            self.rows.setColumnWidth(column, min(self.rows.columnWidth(column), _MAX_COLUMN_WIDTH))
        self.rows.setVisible(bool(file.rows))
        self.show()


def align_right(of: QTreeWidget, *, columns: Sequence[int]) -> None:
    """Right-align columns of numbers and their headings."""
    side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    rows = [of.headerItem(), *(of.topLevelItem(row) for row in range(of.topLevelItemCount()))]
    for item in filter(None, rows):
        for column in columns:
            item.setTextAlignment(column, side)


def _one_line(value: str) -> str:
    return value if value.isprintable() else repr(value)[1:-1]
