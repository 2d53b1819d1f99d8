"""The cheat-sheet: every key of the program, straight from the keymap in force."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Binding, Keymap, Scope
from labeler.ui.dialogs.foot import closing_foot
from labeler.ui.look import Look
from labeler.ui.widgets.column_flow import ColumnFlow
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label

_COLUMN_WIDTH = 360
_LARGEST = QSize(1560, 960)
_ROOM_AROUND = QSize(48, 48)

# What is needed most while answering comes first.
_ORDER = (
    Scope.EVALUATE,
    Scope.FINISH,
    Scope.REVIEW,
    Scope.REVIEW_LABELS,
    Scope.REVIEW_GRID,
    Scope.SETTLING,
    Scope.CLASSES,
    Scope.LOOKING,
    Scope.VIEW,
    Scope.REFERENCES,
    Scope.TILES,
    Scope.COMPARISON,
    Scope.TAXONOMY,
    Scope.NEIGHBOURHOOD,
    Scope.GUIDE,
    Scope.GUIDE_PAGES,
    Scope.GUIDE_EDITOR,
    Scope.GUIDE_VERSIONS,
    Scope.GUIDE_MERGE,
    Scope.IMAGE,
    Scope.RECENT,
    Scope.LOOKING_BACK,
    Scope.PROGRESS,
    Scope.PLOT,
    Scope.FIGURES,
    Scope.DISCUSSION,
    Scope.TRAIN,
    Scope.TRAINING_START,
    Scope.OPEN_TRAINING,
    Scope.TRAINING_SUMMARY,
    Scope.SET_UP,
    Scope.REVIEWERS,
    Scope.MODELS,
    Scope.ADD_MODELS,
    Scope.RESULTS,
    Scope.RESULTS_FIGURE,
    Scope.RESULTS_IMAGES,
    Scope.WINDOW,
)
assert set(_ORDER) == set(Scope), "every scope has its place"


class KeySheet(QDialog):
    """Lists every action with its keys, by the place where they work; typing narrows it down."""

    def __init__(self, look: Look, keymap: Keymap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.resize(_LARGEST.boundedTo(parent.window().size() - _ROOM_AROUND))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a key or an action")
        self.filter.setAccessibleName("Find a key or an action")
        self.filter.setClearButtonEnabled(True)
        self.groups = [_Group(look, keymap, scope) for scope in _ORDER]
        self._flow = ColumnFlow(self.groups, column_width=round(_COLUMN_WIDTH * look.text_scale))
        self._none = label("No action or key goes by that name.", rank="muted")
        self.filter.textChanged.connect(self.narrow)
        self._lay_out()
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Show the actions whose title, place or key has every word of the text in it."""
        words = text.casefold().split()
        found = [group.narrow(words) for group in self.groups]
        self._none.setVisible(not any(found))
        self._flow.arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.filter.setFocus()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(24)
        top.addWidget(label("Keys", rank="title"))
        top.addStretch(1)
        self.filter.setMinimumWidth(320)
        top.addWidget(self.filter)
        scroll = QScrollArea()
        scroll.setObjectName("page")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._flow.setObjectName("page_room")
        scroll.setWidget(self._flow)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 24, 24, 16)
        whole.setSpacing(16)
        whole.addLayout(top)
        whole.addWidget(self._none)
        whole.addWidget(scroll, stretch=1)
        whole.addLayout(closing_foot(self))


class _Group(QFrame):
    """The keys of one place."""

    def __init__(self, look: Look, keymap: Keymap, scope: Scope) -> None:
        super().__init__()
        self._place = keymap.scope_titles[scope]
        self._rows: list[tuple[str, tuple[QWidget, QWidget]]] = []
        self.setProperty("kind", "card")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 8, 16, 12)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(label(self._place, rank="heading"), 0, 0, 1, 2)
        for line, binding in enumerate(keymap.of(scope), start=1):
            self._add(look, line, binding)

    def narrow(self, words: list[str]) -> bool:
        """Show the rows that have every word; whether any has."""
        found = [all(word in text for word in words) for text, _widgets in self._rows]
        for (_text, widgets), shown in zip(self._rows, found, strict=True):
            for widget in widgets:
                widget.setVisible(shown)
        self.setVisible(any(found))
        return any(found)

    def _add(self, look: Look, line: int, binding: Binding) -> None:
        title, caps = label(binding.title, wrap=True), KeyCaps(look, binding.keys)
        self._grid.addWidget(title, line, 0)
        self._grid.addWidget(caps, line, 1, alignment=Qt.AlignmentFlag.AlignRight)
        keys = " ".join(f"{key} {' '.join(key.caps)}" for key in binding.keys)
        text = f"{binding.title} {self._place} {keys}".casefold()
        self._rows.append((text, (title, caps)))
