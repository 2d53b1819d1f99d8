"""A table that fills its width, or a sentence where it is empty."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from labeler.app.chart_views import DataTable, ImageListSource, TableCell, TableColumn
from labeler.app.keymap import Keymap
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.tables.table_view import Column, TableView
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.window.theme import Appearance

_ROW_PADDING = 10
_MIN_LETTERS = 14

_Cells = tuple[TableCell, ...]


class SortableTable(QWidget):
    """Renders a table, or a sentence where it is empty."""

    opened = Signal(ImageListSource)

    def __init__(self, appearance: Appearance, keymap: Keymap, *, spread: bool = False) -> None:
        """With `spread` all columns share the width, for short names such as codes."""
        super().__init__()
        self._appearance, self._spread = appearance, spread
        self.view = TableView("", keymap=keymap, row_padding=_ROW_PADDING)
        self._message = EmptyState(appearance)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._message)
        vbox(self._stack, on=self)
        self.setFocusProxy(self.view)
        self.view.opened.connect(self.opened)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._show_sorted)
        self.view.resized.connect(self._fit_columns)
        appearance.changed.connect(self._fit)

    def render_table(self, table: DataTable) -> None:
        """Show another table, in the order in which its rows come."""
        columns = [_column(self._appearance, c, n) for n, c in enumerate(table.columns)]
        self.view.show_rows(columns, table.rows)
        # The arrow's room is the columns' until there is an arrow.
        self.view.horizontalHeader().setSortIndicatorShown(False)
        self.view.setAccessibleName(table.name)
        self._message.say(table.empty, icon="about")
        self._stack.setCurrentWidget(self.view if table.rows else self._message)
        self._fit()
        self._go_to_top(0)

    def _show_sorted(self, column: int) -> None:
        self.view.horizontalHeader().setSortIndicatorShown(column >= 0)
        self._go_to_top(column)

    def _go_to_top(self, column: int) -> None:
        if self.view.rows and column >= 0:
            self.view.go_to(0, column)
            self.view.scrollToTop()

    def _fit(self) -> None:
        """Fit number columns to their contents; names take the remaining width."""
        modes = QHeaderView.ResizeMode
        header = self.view.horizontalHeader()
        for number, column in enumerate(self.view.cells.columns):
            fits = column.numeric and not self._spread
            header.setSectionResizeMode(number, modes.ResizeToContents if fits else modes.Fixed)
        self.view.fit_rows()
        self._fit_columns()

    def _fit_columns(self) -> None:
        if self._spread:
            self._spread_columns()
        else:
            self._fit_names()

    def _spread_columns(self) -> None:
        """Fit every column to its contents, and share the remaining width equally."""
        header, columns = self.view.horizontalHeader(), range(self.view.columns)
        needed = [
            max(self.view.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in columns
        ]
        left = max(0, self.view.viewport().width() - sum(needed))
        for column in columns:
            header.resizeSection(column, needed[column] + left // len(needed))

    def _fit_names(self) -> None:
        """Keep names legible at large text sizes; numbers may need scrolling."""
        header, columns = self.view.horizontalHeader(), self.view.cells.columns
        names = [number for number, column in enumerate(columns) if not column.numeric]
        numbers = sum(
            header.sectionSize(number) for number, column in enumerate(columns) if column.numeric
        )
        left = (self.view.viewport().width() - numbers) // max(1, len(names))
        least = self.view.fontMetrics().averageCharWidth() * _MIN_LETTERS
        for column in names:
            header.resizeSection(column, max(left, least))


def _column(appearance: Appearance, column: TableColumn, number: int) -> Column[_Cells]:
    def colour(row: _Cells) -> QColor:
        """A cell that can be opened looks like a link in the guide."""
        return appearance.colour("accent" if row[number].source else "text")

    return Column(
        title=column.title,
        explained=column.explained,
        numeric=column.numeric,
        text=lambda row: row[number].text,
        order=lambda row: row[number].order,
        source=lambda row: row[number].source,
        colour=colour,
    )
