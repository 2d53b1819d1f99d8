"""A column of a comparison: a class with its path and its references."""

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.classes.comparison import ComparedClass, ComparedClasses, DistinguishingTrait
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import ReferencesState, ReferencesView
from labeler.images.sheet_manifest import TILE_SIZE
from labeler.ui.classes.column_heading import ColumnHeading, ColumnVerdict
from labeler.ui.classes.reference_grid import ReferenceGrid, load_originals
from labeler.ui.classes.tile_layout import TILE_GAP
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.text.labels import ElidedLabel, ElidedPath, label
from labeler.ui.window.theme import Appearance


class ClassDifferences(QLabel):
    """A paragraph per pair, as tall as its text."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setObjectName("told_apart")
        self.setAccessibleName("How to tell them apart")
        self.hide()

    def show_pairs(self, pairs: tuple[DistinguishingTrait, ...]) -> None:
        """Show the distinctions; hidden if there are none."""
        self.setText("".join(_paragraph(pair) for pair in pairs))
        text = " ".join(f"{pair.one} or {pair.other}: {pair.trait}" for pair in pairs)
        self.setAccessibleDescription(text)
        self.setVisible(bool(pairs))


def _paragraph(pair: DistinguishingTrait) -> str:
    names = f"<b>{escape(pair.one)} or {escape(pair.other)}?</b>"
    return f'<p style="margin:0 0 4px 0">{names} {escape(pair.trait)}</p>'


# A class is recognised by about so many references; more columns would be too small.
_WANTED_TILES, _MOST_COLUMNS = 12, 4


class ColumnGrid(ReferenceGrid):
    """References in as few columns as show enough of them."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        # The container of the columns handles the keys.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def sharp_slot(self) -> int:
        # Columns can have any width, so tiles are scaled when painted.
        return TILE_SIZE

    def size_for(self, width: int) -> int:
        height, tallness = self.viewport().height(), self._tallness
        for columns in range(2, _MOST_COLUMNS + 1):
            size = max(1, (width - TILE_GAP) // columns - TILE_GAP)
            rows = (height - TILE_GAP) // (round(size * tallness) + TILE_GAP)
            if rows * columns >= _WANTED_TILES:
                break
        return size


class ClassColumn(QFrame):
    """Renders a class, and emits a signal when it is clicked."""

    pointed = Signal(str)

    def __init__(
        self, appearance: Appearance, wnid: str, *, originals: OriginalLoader[QImage] | None
    ) -> None:
        super().__init__()
        self._wnid = wnid
        self._shown: ReferencesView[QImage] | None = None
        self.heading = ColumnHeading(appearance)
        self._name = ElidedLabel(rank="heading")
        self._path = ElidedPath(rank="caption")
        self.grid = ColumnGrid(appearance)
        self.sentence = label(rank="muted", wrap=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.sentence)
        self.setProperty("kind", "compared")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(4)
        layout.addWidget(self.heading)
        for part in self.parts():
            layout.addWidget(part, stretch=1 if part is self._stack else 0)
        self.grid.tile_enlarged.connect(lambda _number: self.pointed.emit(self._wnid))
        if originals is not None:
            load_originals(originals, self.grid, wnid=lambda: self._wnid)

    def parts(self) -> tuple[QWidget, ...]:
        """The widgets of the column, from the top."""
        return (self._name, self._path, self._stack)

    @property
    def wnid(self) -> str:
        return self._wnid

    def show_verdict(self, verdict: ColumnVerdict | None) -> None:
        """Show what the class is in the feedback on an answer, above its name."""
        self.heading.show_verdict(verdict)
        self._name_accessibly()

    def _name_accessibly(self) -> None:
        parts = (self.heading.words, self._name.text())
        self.setAccessibleName(": ".join(part for part in parts if part))

    def render_column(self, column: ComparedClass[QImage]) -> None:
        """Show the class; references that are already shown keep their scroll position."""
        self._name.setText(column.name)
        self._path.setText(column.path)
        self._name_accessibly()
        self.grid.setAccessibleName(f"Reference images of {column.name}")
        if column.references is not self._shown:
            self._shown = column.references
            self._show_references(column.references)

    def _show_references(self, view: ReferencesView[QImage]) -> None:
        if view.loaded is not None:
            self.grid.show_tiles(view.loaded)
            self._stack.setCurrentWidget(self.grid)
            return
        loading = view.state is ReferencesState.LOADING
        self.sentence.setText("" if loading else view.sentence)
        self._stack.setCurrentWidget(self.sentence)


class ClassColumnsView(QWidget):
    """Renders compared classes when there is nothing to choose."""

    def __init__(self, appearance: Appearance, originals: OriginalLoader[QImage]) -> None:
        super().__init__()
        self._appearance, self._originals = appearance, originals
        self.columns: list[ClassColumn] = []
        self.differences = ClassDifferences()
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        vbox(self.differences, grow(self._row), on=self)

    def render_classes(self, view: ComparedClasses[QImage]) -> None:
        """Show the classes, and reuse existing columns."""
        known = {column.wnid: column for column in self.columns}
        self.columns = [known.get(c.wnid) or self._column(c.wnid) for c in view.columns]
        for gone in (column for column in known.values() if column not in self.columns):
            gone.hide()
            gone.deleteLater()
        for place, (shown, column) in enumerate(zip(self.columns, view.columns, strict=True)):
            self._row.insertWidget(place, shown, stretch=1)
            shown.render_column(column)
        self.differences.show_pairs(view.differences)

    def _column(self, wnid: str) -> ClassColumn:
        return ClassColumn(self._appearance, wnid, originals=self._originals)
