"""Choose a part of the taxonomy: type a name, move with the arrows, confirm with Return."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from labeler.app.classes.node_search import FoundSubtree, SubtreeSearch
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_SIZE = QSize(640, 560)
_KEY = Qt.ItemDataRole.UserRole
_STEP_KEYS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 10,
    Qt.Key.Key_PageUp: -10,
}


class SubsetPickerDialog(QDialog):
    """Finds classes and the nodes above them; `picked` is emitted with the subset's key."""

    picked = Signal(str)

    def __init__(self, appearance: Appearance, search: SubtreeSearch, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Add subset")
        self.resize(_SIZE)
        self._search = search
        self.field = QLineEdit()
        self.list = QListWidget()
        self.take = QPushButton("Add subset  ⏎")
        self._nothing = EmptyState(appearance)
        self._lay_out()
        self.field.textEdited.connect(self._find)
        self.list.itemDoubleClicked.connect(lambda _item: self.pick())
        self.take.clicked.connect(self.pick)
        self._find("")
        self.field.setFocus()

    def pick(self) -> None:
        """Accept the focused part and close."""
        item = self.list.currentItem()
        if item is not None:
            self.accept()
            self.picked.emit(item.data(_KEY))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = _STEP_KEYS.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
        elif self.list.count():
            row = self.list.currentRow() + steps
            self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))

    def _find(self, typed: str) -> None:
        self.list.clear()
        for part in self._search.find(typed):
            item = QListWidgetItem(_words(part))
            item.setData(_KEY, part.key)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        found = self.list.count() > 0
        self.take.setEnabled(found)
        self.list.setVisible(found)
        self._nothing.setVisible(not found)
        if not found:
            self._nothing.say(
                f"No class or group of classes is called “{typed.strip()}”. Try fewer letters, "
                "another name, or a wnid.",
                icon="search",
            )

    def _lay_out(self) -> None:
        self.field.setPlaceholderText("hound, musical instrument, n02084071 …")
        self.field.setAccessibleName("Name of a class or group of classes")
        self.list.setObjectName("versions")
        self.list.setAccessibleName("Parts of the taxonomy")
        # The field keeps the focus; arrow keys move through the list.
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.take.setDefault(True)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = hbox(label("↑ ↓ move", rank="caption"), stretch(), cancel, self.take)
        vbox(
            label("Part of the taxonomy", rank="title"),
            label("The subset has all classes below it.", rank="muted", wrap=True),
            self.field,
            grow(self.list),
            grow(self._nothing),
            foot,
            on=self,
            spacing=16,
            margins=(24, 24, 24, 16),
        )


def _words(part: FoundSubtree) -> str:
    size = "1 class" if part.classes == 1 else f"{part.classes:,} classes"
    return f"{part.name} — {size}" + (f"\n{part.path}" if part.path else "")
