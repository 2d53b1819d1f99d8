"""One class among others: its name and place, and below them its references."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from labeler.app.classes.comparison import ComparedClass
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import ReferencesState, ReferencesView
from labeler.images.sheet_manifest import TILE_SIZE
from labeler.ui.classes.reference_grid import ReferenceGrid
from labeler.ui.classes.sharpening import load_originals
from labeler.ui.classes.tile_layout import TILE_GAP
from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.kit.text.elided_path import ElidedPath
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_TWO_COLUMN_WIDTH, _THREE_COLUMN_WIDTH = 144, 256


class ColumnGrid(ReferenceGrid):
    """References in up to three columns, so many that they can still be told apart."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        # What holds the columns has the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def sharp_slot(self) -> int:
        # A column's width is whatever room there is: its tiles are shrunk when they are painted.
        return TILE_SIZE

    def size_for(self, width: int) -> int:
        columns = 1 + (width >= _TWO_COLUMN_WIDTH) + (width >= _THREE_COLUMN_WIDTH)
        return max(1, (width - TILE_GAP) // columns - TILE_GAP)


class ClassColumn(QFrame):
    """Renders a class; says when it is pointed at."""

    pointed = Signal(str)

    def __init__(
        self, look: Appearance, wnid: str, *, originals: OriginalLoader[QImage] | None
    ) -> None:
        super().__init__()
        self._wnid = wnid
        self._shown: ReferencesView[QImage] | None = None
        self._name = ElidedLabel(rank="heading")
        self._path = ElidedPath(rank="caption")
        self.grid = ColumnGrid(look)
        self.sentence = label(rank="muted", wrap=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.sentence)
        self.setProperty("kind", "compared")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 8, 8)
        whole.setSpacing(4)
        for part in self.parts():
            whole.addWidget(part, stretch=1 if part is self._stack else 0)
        self.grid.tile_enlarged.connect(lambda _number: self.pointed.emit(self._wnid))
        if originals is not None:
            load_originals(originals, self.grid, wnid=lambda: self._wnid)

    def parts(self) -> tuple[QWidget, ...]:
        """What stands in the column, from the top."""
        return (self._name, self._path, self._stack)

    @property
    def wnid(self) -> str:
        return self._wnid

    def render_column(self, column: ComparedClass[QImage]) -> None:
        """Show the class; references that are shown already stay where they are scrolled to."""
        self._name.setText(column.name)
        self._path.setText(column.path)
        self.setAccessibleName(column.name)
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
