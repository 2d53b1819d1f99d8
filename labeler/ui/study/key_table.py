"""Every action with its keys, to be changed one by one."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from labeler.app.keymap import Action
from labeler.app.study.preferences_page import KeyRow
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.look import Appearance

_TITLE, _KEYS, _STATE = range(3)
_ACTION = Qt.ItemDataRole.UserRole
_CAPS_MARGIN = QSize(16, 6)


class KeyTable(QTreeWidget):
    """Actions by place; Enter or a double click asks to change the one in focus."""

    change_wanted = Signal(Action)

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
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
        look.changed.connect(self._fit)

    @property
    def chosen(self) -> Action | None:
        """The action in focus; None on the name of a place."""
        item = self.currentItem()
        data = item.data(_TITLE, _ACTION) if item is not None else None
        return Action(data) if data is not None else None

    def choose(self, action: Action) -> None:
        self.setCurrentItem(self._items[action])

    def render_rows(self, rows: Iterable[KeyRow]) -> None:
        """Show the rows; only those that differ from the ones shown are drawn anew."""
        for row in rows:
            if row.action not in self._items:
                self._items[row.action] = self._added(row)
            if self._shown.get(row.action) != row:
                self._render_row(row)
        if self.currentItem() is None and self._items:
            self.setCurrentItem(next(iter(self._items.values())))

    def narrow(self, text: str) -> None:
        """Show the actions whose title, place or key has every word of the text in it."""
        words = text.casefold().split()
        for action, item in self._items.items():
            told = _search_text(self._shown[action])
            item.setHidden(not all(word in told for word in words))
        for place in self._places():
            shown = (item for item in self._items.values() if not item.isHidden())
            place.setHidden(all(item.parent() is not place for item in shown))

    def _fit(self) -> None:
        """The caps grow with the type, and the rows with the caps."""
        for row in self._shown.values():
            self._render_row(row)

    def _render_row(self, row: KeyRow) -> None:
        item = self._items[row.action]
        self._shown[row.action] = row
        caps = KeyCaps(self._look, row.keys)
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
