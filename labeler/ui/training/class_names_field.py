"""A field for names of classes and branches, separated by commas, with completion."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from labeler.app.classes.node_search import NamedNode
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label

_WNID = Qt.ItemDataRole.UserRole
_ROWS = 3


class ClassNamesField(QWidget):
    """Down and Up select a candidate, Enter or Tab accepts it; without candidates, Enter starts.

    A second field saves what is typed as a named family.
    """

    typed = Signal(str)
    completed = Signal(str)
    entered = Signal()
    saved = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._caption = label(rank="caption")
        self.field = _CompletedField()
        self.list = QListWidget()
        self.name = QLineEdit()
        self.save = QPushButton("Save as a family")
        self._lay_out()
        self._connect()

    def render_names(
        self, text: str, candidates: tuple[NamedNode, ...], *, caption: str, can_save: bool
    ) -> None:
        self._caption.setText(caption)
        if self.field.text() != text:
            self.field.setText(text)
        self.list.clear()
        for node in candidates:
            item = QListWidgetItem(_candidate_text(node))
            item.setData(_WNID, node.wnid)
            self.list.addItem(item)
        self._keep_room(self.list, shown=bool(candidates))
        self.field.completes = bool(candidates)
        for part in (self.name, self.save):
            self._keep_room(part, shown=can_save)

    def begin(self) -> None:
        """Take the focus and select the text, so that typing replaces it."""
        self.field.setFocus()
        self.field.selectAll()

    def _keep_room(self, part: QWidget, *, shown: bool) -> None:
        policy = part.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        part.setSizePolicy(policy)
        part.setVisible(shown)

    def _walk(self, steps: int) -> None:
        row = self.list.currentRow() + steps
        self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))

    def _take(self, *, first: bool) -> None:
        """Accept the selected candidate; Tab accepts the first if none is selected."""
        item = self.list.currentItem() or (self.list.item(0) if first else None)
        if item is not None and not self.list.isHidden():
            self.completed.emit(item.data(_WNID))
        elif not first:
            self.entered.emit()

    def _connect(self) -> None:
        self.field.textEdited.connect(self.typed)
        self.field.walked.connect(self._walk)
        self.field.tabbed.connect(lambda: self._take(first=True))
        self.field.returnPressed.connect(lambda: self._take(first=False))
        self.list.itemClicked.connect(lambda item: self.completed.emit(item.data(_WNID)))
        self.save.clicked.connect(lambda: self.saved.emit(self.name.text()))
        self.name.returnPressed.connect(self.save.click)

    def _lay_out(self) -> None:
        self.setFocusProxy(self.field)
        self.field.setPlaceholderText("marmot, beaver")
        self.field.setAccessibleName("Classes or branches, separated by commas")
        self.list.setObjectName("candidates")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName("Suggestions")
        self.list.setFixedHeight(_ROWS * (self.fontMetrics().height() + 8) + 10)
        self.name.setPlaceholderText("Name of the family")
        self.name.setAccessibleName("Name of the family")
        self.save.setAutoDefault(False)
        row = hbox(grow(self.name), self.save)
        vbox(self._caption, self.field, self.list, row, stretch(1), on=self, margins=(0, 8, 0, 0))


class _CompletedField(QLineEdit):
    """A line edit whose Down, Up and Tab go to the candidates below, if there are any."""

    walked = Signal(int)
    tabbed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.completes = False

    def focusNextPrevChild(self, next_child: bool) -> bool:
        if self.completes and next_child:
            self.tabbed.emit()
            return True
        return super().focusNextPrevChild(next_child)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if steps is not None and self.completes:
            self.walked.emit(steps)
        else:
            super().keyPressEvent(event)


def _candidate_text(node: NamedNode) -> str:
    return node.name if node.classes <= 1 else f"{node.name} — {node.classes:,} classes"
