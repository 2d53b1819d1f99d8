"""The cheat-sheet: every key of the program, straight from the keymap."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Keymap, Scope
from labeler.ui.dialogs.foot import closing_foot
from labeler.ui.look import Look
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label

_COLUMNS = (
    (Scope.EVALUATE, Scope.CLASSES),
    (Scope.LOOKING, Scope.VIEW, Scope.WINDOW),
    (Scope.REFERENCES, Scope.COMPARISON, Scope.NEIGHBOURHOOD),
    (Scope.IMAGE, Scope.TAXONOMY, Scope.GUIDE, Scope.TILES, Scope.RECENT),
)
assert {scope for column in _COLUMNS for scope in column} == set(Scope), "every scope has a place"


class KeySheet(QDialog):
    """Lists every action with its keys, by the place where they work."""

    def __init__(self, look: Look, keymap: Keymap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        columns = QHBoxLayout()
        columns.setSpacing(16)
        for scopes in _COLUMNS:
            column = QVBoxLayout()
            column.setSpacing(16)
            for scope in scopes:
                column.addWidget(_group(look, keymap, scope))
            column.addStretch()
            columns.addLayout(column)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 24, 24, 16)
        whole.setSpacing(16)
        whole.addWidget(label("Keys", rank="title"))
        whole.addLayout(columns)
        whole.addLayout(closing_foot(self))


def _group(look: Look, keymap: Keymap, scope: Scope) -> QFrame:
    group = QFrame()
    group.setProperty("kind", "card")
    grid = QGridLayout(group)
    grid.setContentsMargins(16, 8, 16, 16)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    grid.addWidget(label(keymap.scope_titles[scope], rank="heading"), 0, 0, 1, 2)
    for line, binding in enumerate(keymap.of(scope), start=1):
        caps = KeyCaps(look, binding.keys)
        grid.addWidget(caps, line, 0, alignment=Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(label(binding.title), line, 1)
    return group
