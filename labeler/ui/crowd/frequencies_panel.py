"""The selection frequencies of all images and labels, with a filter by text."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from labeler.app.crowd.image_inspector import (
    FREQUENCY_COLUMNS,
    FrequencyRow,
    ImageInspector,
)
from labeler.core.text import count_noun
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.tables.table_view import Column, TableView
from labeler.ui.kit.text.labels import label
from labeler.ui.window.context import StudyContext
from labeler.ui.window.theme import Appearance

_WIDTHS = (140, 300, 260, 90, 90, 110, 90)


class FrequenciesPanel(QWidget):
    """`inspect_wanted` is emitted with the number of the image of an opened row."""

    inspect_wanted = Signal(object)

    def __init__(self, context: StudyContext) -> None:
        super().__init__()
        self._rows: list[FrequencyRow] = []
        self._columns = _columns(context.appearance)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter by dataset, image or label")
        self.search.setAccessibleName("Filter frequencies")
        self.search.setClearButtonEnabled(True)
        self.count = label(rank="muted")
        self.table = TableView("Selection frequencies", keymap=context.keymap, row_padding=10)
        self.search.textChanged.connect(self._show_filtered)
        self.table.opened.connect(self.inspect_wanted)
        vbox(
            hbox(grow(self.search), self.count, spacing=16),
            grow(self.table),
            on=self,
            spacing=8,
            margins=(12, 12, 12, 12),
        )

    def show_frequencies(self, inspector: ImageInspector) -> None:
        """Show the pairs of another aggregation; the filter stays."""
        self._rows = inspector.frequencies()
        self._show_filtered()

    def _show_filtered(self) -> None:
        words = self.search.text().casefold().split()
        rows = [row for row in self._rows if all(word in _text(row) for word in words)]
        self.table.show_rows(self._columns, rows)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.count.setText(count_noun(len(rows), "pair") + " of image and label")


def _text(row: FrequencyRow) -> str:
    return f"{row.image.dataset} {row.image.image} {row.name}".casefold()


def _columns(appearance: Appearance) -> tuple[Column[FrequencyRow], ...]:
    titles = iter(FREQUENCY_COLUMNS)
    return (
        Column(title=next(titles), text=lambda row: row.image.dataset),
        Column(
            title=next(titles),
            text=lambda row: row.image.image,
            source=lambda row: row.number,
            colour=lambda _row: appearance.colour("accent"),
        ),
        Column(title=next(titles), text=lambda row: row.name),
        Column(
            title=next(titles),
            text=lambda row: str(row.frequency.selected),
            order=lambda row: row.frequency.selected,
            numeric=True,
        ),
        Column(
            title=next(titles),
            text=lambda row: str(row.frequency.shown),
            order=lambda row: row.frequency.shown,
            numeric=True,
        ),
        Column(
            title=next(titles),
            text=lambda row: f"{float(100 * row.frequency.value):.1f} %",
            order=lambda row: row.frequency.value,
            numeric=True,
        ),
        Column(title=next(titles), text=lambda row: "target" if row.is_target else ""),
    )
