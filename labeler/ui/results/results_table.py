"""A table of results: cells sort as numbers, and numbers open their images."""

import heapq
import re
from functools import partial

from labeler.app.keymap import Keymap
from labeler.core.metrics.cell_source import EvaluationSource
from labeler.report.table import NO_VALUE, ReportTable
from labeler.ui.kit.tables.table_view import Column, TableView

_NUMBER = re.compile(r"[+−-]?[\d,]*\.?\d+")
_MAX_COLUMN_WIDTH, _MEASURED_ROWS = 360, 8

NO_NUMBER = "There is no number here, so there are no images to show."
NO_IMAGE = "There is no such image."


class ResultsTable(TableView):
    """A table that is replaced as a whole; texts that begin with a number sort as numbers."""

    def __init__(self, keymap: Keymap, name: str) -> None:
        super().__init__(name, keymap=keymap)
        self._table: ReportTable | None = None

    def show_table(self, table: ReportTable) -> None:
        """Show another table; the same one again changes nothing."""
        if table is self._table:
            return
        self._table = table
        # A row is its number in the table: that is what a cell's source is found by.
        self.show_rows(
            [_column(table, column) for column in range(len(table.columns))],
            range(len(table.rows)),
        )
        # Before it is first shown it doesn't know the font and padding that its style gives cells.
        self.ensurePolished()
        self.horizontalHeader().ensurePolished()
        for column in range(self.columns):
            self.setColumnWidth(column, self._width(table, column))

    def _width(self, table: ReportTable, column: int) -> int:
        """The width of the title and the longest texts: to measure all rows takes too long."""
        title = self.horizontalHeader().sectionSizeHint(column)
        # The text with the most letters isn't always the widest.
        longest = heapq.nlargest(
            _MEASURED_ROWS, range(self.rows), key=lambda row: len(table.rows[row][column])
        )
        indexes = [self.cells.index(row, column) for row in longest]
        widths = (self.sizeHintForIndex(index).width() for index in indexes)
        return min(max(title, *widths, 0), _MAX_COLUMN_WIDTH)


def _column(table: ReportTable, column: int) -> Column[int]:
    def text(row: int) -> str:
        return table.rows[row][column]

    def source(row: int) -> EvaluationSource | None:
        return table.sources.get((row, column))

    return Column(
        title=table.columns[column].title,
        numeric=table.columns[column].number,
        text=text,
        order=lambda row: _sort_key(text(row)),
        source=source,
        tooltip=partial(_cell_tooltip, table, column),
    )


def _cell_tooltip(table: ReportTable, column: int, row: int) -> str:
    """What a click on the cell would do, or why it does nothing."""
    text, source = table.rows[row][column], table.sources.get((row, column))
    if source is not None:
        return f"Show the images of {text}: {source.heading}"
    if text == NO_VALUE:
        return NO_NUMBER
    if text == "0":
        return NO_IMAGE
    if table.sources:
        return f"{text}\nClick a number in this row to see its images."
    return text


def _sort_key(text: str) -> tuple[int, float, str]:
    """Sort key: numbers before words, missing values last."""
    found = _NUMBER.match(text)
    if found is None:
        return (2 if text == NO_VALUE else 1), 0.0, text.casefold()
    return 0, float(found[0].replace(",", "").replace("−", "-")), text
