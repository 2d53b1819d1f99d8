"""One class under comparison: the image on top, below it the class's references."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Keymap
from labeler.app.presenters.comparison import Column
from labeler.app.presenters.originals import Originals
from labeler.app.presenters.references import ReferencesState, ReferencesView
from labeler.ui.actions import tooltip
from labeler.ui.look import Look
from labeler.ui.widgets.elided_label import ElidedLabel
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.reference_grid import ReferenceGrid
from labeler.ui.widgets.sharpening import sharpen_from
from labeler.ui.widgets.subject import Subject
from labeler.ui.widgets.tile_layout import GAP

_ROOM_FOR_TWO, _ROOM_FOR_THREE = 144, 280
_CROSS = 24


class ColumnGrid(ReferenceGrid):
    """References in up to three columns, so many that they can still be told apart."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        # The comparison as a whole has the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def size_for(self, width: int) -> int:
        columns = 1 + (width >= _ROOM_FOR_TWO) + (width >= _ROOM_FOR_THREE)
        return max(1, (width - GAP) // columns - GAP)


class ComparisonColumn(QFrame):
    """Renders a class; says when it is pointed at, chosen or dropped."""

    pointed = Signal(str)
    chosen = Signal(str)
    dropped = Signal(str)

    def __init__(
        self, look: Look, keymap: Keymap, wnid: str, *, originals: Originals[QImage] | None
    ) -> None:
        super().__init__()
        self._wnid = wnid
        self._shown: ReferencesView[QImage] | None = None
        self._name = ElidedLabel(rank="heading")
        self._path = ElidedLabel(rank="caption", mode=Qt.TextElideMode.ElideLeft)
        self.subject = Subject(look)
        self.grid = ColumnGrid(look)
        self.sentence = label(rank="muted", wrap=True)
        self.choose = QPushButton("Choose")
        self.cross = QToolButton()
        self._caps = KeyCaps(look, keymap[Action.CHOOSE_COLUMN].keys[:1])
        self._stack = QStackedWidget()
        self.setProperty("kind", "compared")
        self._dress(keymap)
        self._lay_out()
        self.grid.tile_enlarged.connect(lambda _number: self.pointed.emit(self._wnid))
        if originals is not None:
            sharpen_from(originals, self.grid, wnid=lambda: self._wnid)

    @property
    def wnid(self) -> str:
        return self._wnid

    def render_column(self, column: Column[QImage]) -> None:
        """Show the class; references that are shown already stay where they are scrolled to."""
        self._name.setText(column.name)
        self._path.setText(column.path)
        self.setAccessibleName(column.name)
        self.choose.setAccessibleName(f"Choose {column.name}")
        self.cross.setAccessibleName(f"Take {column.name} off the shortlist")
        self.grid.setAccessibleName(f"Reference images of {column.name}")
        if column.references is not self._shown:
            self._shown = column.references
            self._show_references(column.references)

    def set_current(self, current: bool) -> None:
        """Frame the column whose keys are in force, and show the key that chooses it."""
        self._caps.setVisible(current)
        if self.property("current") is not current:
            self.setProperty("current", current)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pointed.emit(self._wnid)

    def _show_references(self, view: ReferencesView[QImage]) -> None:
        if view.loaded is not None:
            self.grid.show_tiles(QPixmap.fromImage(view.loaded.sheet), view.loaded.tiles)
            self._stack.setCurrentWidget(self.grid)
            return
        loading = view.state is ReferencesState.LOADING
        self.sentence.setText("" if loading else view.sentence)
        self._stack.setCurrentWidget(self.sentence)

    def _dress(self, keymap: Keymap) -> None:
        self.cross.setText("✕")
        self.cross.setFixedWidth(_CROSS)
        self.cross.setToolTip(tooltip(keymap[Action.DROP_COLUMN]))
        self.choose.setToolTip(tooltip(keymap[Action.CHOOSE_COLUMN]))
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for button in (self.cross, self.choose):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.choose.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choose.clicked.connect(lambda: self.chosen.emit(self._wnid))
        self.cross.clicked.connect(lambda: self.dropped.emit(self._wnid))
        kept = self._caps.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._caps.setSizePolicy(kept)

    def _lay_out(self) -> None:
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.sentence)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 8, 8)
        whole.setSpacing(4)
        whole.addWidget(_line(self._name, self.cross))
        whole.addWidget(self._path)
        whole.addWidget(self.subject)
        whole.addWidget(self._stack, stretch=1)
        whole.addWidget(_line(self.choose, self._caps))


def _line(wide: QWidget, narrow: QWidget) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addWidget(wide, stretch=1)
    row.addWidget(narrow)
    return line
