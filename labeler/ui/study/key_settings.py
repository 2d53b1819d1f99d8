"""The settings page for keyboard shortcuts."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QKeyCombination, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from labeler.app.keymap import Action
from labeler.app.study.preferences_page import KeyRow
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.window.theme import Appearance

_MODIFIERS = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
}
_SHIFT, _KEYPAD = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier


class KeyCaptureField(QLabel):
    """Waits for a key while focused; Esc or losing the focus cancels."""

    caught = Signal(str)
    capture_cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "catcher")
        self.setWordWrap(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    def wait_for(self, title: str) -> None:
        """Ask for the key of an action."""
        self.setText(f"Press the new shortcut for “{title}”, or Esc to cancel.")
        self.setAccessibleName(self.text())
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        # Handled here because Tab never reaches keyPressEvent, and ShortcutOverride is accepted
        # because otherwise a shortcut would consume the key.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._take(event)
            return True
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
            self.capture_cancelled.emit()
        return super().event(event)

    def _take(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat() or event.key() in _MODIFIERS:
            return
        # Hiding it causes a FocusOut, which must not count as cancelling.
        self.hide()
        if event.key() == Qt.Key.Key_Escape:
            self.capture_cancelled.emit()
        else:
            self.caught.emit(key_text(event))


def key_text(event: QKeyEvent) -> str:
    """Return the pressed combination in the keymap's notation."""
    modifiers, key = event.modifiers() & ~_KEYPAD, Qt.Key(event.key())
    if _is_symbol(event.text()):
        modifiers &= ~_SHIFT  # Shift is part of typing the symbol.
    combination = QKeyCombination(modifiers, key)
    return QKeySequence(combination).toString(QKeySequence.SequenceFormat.PortableText)


def _is_symbol(text: str) -> bool:
    return len(text) == 1 and text.isprintable() and not text.isalnum() and not text.isspace()


_TITLE, _KEYS, _STATE = range(3)
_ACTION = Qt.ItemDataRole.UserRole
_CAPS_MARGIN = QSize(16, 6)


class KeyTable(QTreeWidget):
    """Actions grouped by place; Enter or a double click changes the selected one."""

    change_wanted = Signal(Action)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._items: dict[Action, QTreeWidgetItem] = {}
        self._shown: dict[Action, KeyRow] = {}
        self.setColumnCount(3)
        self.setHeaderLabels(["Action", "Keys", ""])
        self.setAccessibleName("Actions and their keys")
        self.setRootIsDecorated(False)
        self.setIndentation(16)
        self.setExpandsOnDoubleClick(False)
        header = self.header()
        header.setSectionResizeMode(_TITLE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_KEYS, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_STATE, QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(False)
        self.itemActivated.connect(self._activate)
        appearance.changed.connect(self._fit)

    @property
    def chosen(self) -> Action | None:
        """The selected action, or None if a place is selected."""
        item = self.currentItem()
        data = item.data(_TITLE, _ACTION) if item is not None else None
        return Action(data) if data is not None else None

    def choose(self, action: Action) -> None:
        self.setCurrentItem(self._items[action])

    def render_rows(self, rows: Iterable[KeyRow]) -> None:
        """Show the rows, redrawing only those that changed."""
        for row in rows:
            if row.action not in self._items:
                self._items[row.action] = self._added(row)
            if self._shown.get(row.action) != row:
                self._render_row(row)
        if self.currentItem() is None and self._items:
            self.setCurrentItem(next(iter(self._items.values())))

    def narrow(self, text: str) -> None:
        """Show only actions whose title, place or keys contain every word of the text."""
        words = text.casefold().split()
        for action, item in self._items.items():
            searched = _search_text(self._shown[action])
            item.setHidden(not all(word in searched for word in words))
        for place in self._places():
            shown = (item for item in self._items.values() if not item.isHidden())
            place.setHidden(all(item.parent() is not place for item in shown))

    def _fit(self) -> None:
        """Adjust the key caps and rows to the text size."""
        for row in self._shown.values():
            self._render_row(row)

    def _render_row(self, row: KeyRow) -> None:
        item = self._items[row.action]
        self._shown[row.action] = row
        caps = KeyCaps(self._appearance, row.keys)
        self.setItemWidget(item, _KEYS, caps)
        item.setSizeHint(_KEYS, caps.sizeHint() + _CAPS_MARGIN)
        item.setText(_STATE, "changed" if row.changed else "")
        keys = " or ".join(" ".join(key.caps) for key in row.keys)
        item.setData(_TITLE, Qt.ItemDataRole.AccessibleTextRole, f"{row.title}: {keys}")

    def _added(self, row: KeyRow) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self._place(row.place), [row.title])
        item.setData(_TITLE, _ACTION, row.action.value)
        return item

    def _place(self, title: str) -> QTreeWidgetItem:
        found = next((place for place in self._places() if place.text(_TITLE) == title), None)
        return found or self._new_place(title)

    def _new_place(self, title: str) -> QTreeWidgetItem:
        place = QTreeWidgetItem(self, [title])
        font = self.font()
        font.setBold(True)
        place.setFont(_TITLE, font)
        place.setFlags(Qt.ItemFlag.ItemIsEnabled)
        place.setFirstColumnSpanned(True)
        place.setExpanded(True)
        return place

    def _places(self) -> list[QTreeWidgetItem]:
        every = (self.topLevelItem(number) for number in range(self.topLevelItemCount()))
        return [place for place in every if place is not None]

    def _activate(self) -> None:
        if self.chosen is not None:
            self.change_wanted.emit(self.chosen)


def _search_text(row: KeyRow) -> str:
    keys = " ".join(f"{key} {' '.join(key.caps)}" for key in row.keys)
    changed = "changed" if row.changed else ""
    return f"{row.title} {row.place} {keys} {changed}".casefold()


class KeySettings(QWidget):
    """A filter, the table, and buttons for the selected action."""

    rebound = Signal(Action, str)
    reset_wanted = Signal(Action)
    reset_all_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._rows: dict[Action, KeyRow] = {}
        self._changing: Action | None = None
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Search actions and keys")
        self.filter.setAccessibleName("Search actions and keys")
        self.filter.setClearButtonEnabled(True)
        self.table = KeyTable(appearance)
        self.catcher = KeyCaptureField()
        self.change = _button("Change…")
        self.reset = _button("Reset")
        self.reset_all = _button("Reset all")
        self._lay_out()
        self._connect()

    def render_rows(self, rows: Iterable[KeyRow]) -> None:
        self._rows = {row.action: row for row in rows}
        self.table.render_rows(self._rows.values())
        self._offer()

    def ask_for_key(self, action: Action) -> None:
        """Wait for the action's new key."""
        self._changing = action
        self.catcher.wait_for(self._rows[action].title)

    def _lay_out(self) -> None:
        foot = hbox(self.change, self.reset, stretch(), self.reset_all)
        vbox(self.filter, grow(self.table), self.catcher, foot, on=self, margins=(16, 16, 16, 16))

    def _connect(self) -> None:
        self.filter.textChanged.connect(self.table.narrow)
        self.table.change_wanted.connect(self.ask_for_key)
        self.table.currentItemChanged.connect(lambda _now, _before: self._offer())
        self.change.clicked.connect(self._change_chosen)
        self.reset.clicked.connect(self._reset_chosen)
        self.reset_all.clicked.connect(self.reset_all_wanted)
        self.catcher.caught.connect(self._take)
        self.catcher.capture_cancelled.connect(self._stop_changing)

    def _change_chosen(self) -> None:
        if self.table.chosen is not None:
            self.ask_for_key(self.table.chosen)

    def _reset_chosen(self) -> None:
        if self.table.chosen is not None:
            self.reset_wanted.emit(self.table.chosen)

    def _take(self, key: str) -> None:
        action = self._changing
        self._stop_changing()
        if action is not None:
            self.rebound.emit(action, key)

    def _stop_changing(self) -> None:
        if self._changing is not None:
            self._changing = None
            self.table.setFocus()

    def _offer(self) -> None:
        """Enable the buttons that apply to the selected action."""
        row = self._rows.get(self.table.chosen) if self.table.chosen is not None else None
        self.change.setEnabled(row is not None)
        self.reset.setEnabled(row is not None and row.changed)
        self.reset_all.setEnabled(any(row.changed for row in self._rows.values()))


def _button(text: str) -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(False)
    return made
