"""The page on which a person gives actions other keys."""

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from labeler.app.keymap import Action
from labeler.app.study.preferences_page import KeyRow
from labeler.ui.study.key_catcher import KeyCaptureField
from labeler.ui.study.key_table import KeyTable
from labeler.ui.window.look import Appearance


class KeySettings(QWidget):
    """A filter, the table, and what can be done with the action in focus."""

    rebound = Signal(Action, str)
    reset_wanted = Signal(Action)
    reset_all_wanted = Signal()

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._rows: dict[Action, KeyRow] = {}
        self._changing: Action | None = None
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a key or an action")
        self.filter.setAccessibleName("Find a key or an action")
        self.filter.setClearButtonEnabled(True)
        self.table = KeyTable(look)
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
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.change, self.reset):
            foot.addWidget(button)
        foot.addStretch()
        foot.addWidget(self.reset_all)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 16)
        whole.setSpacing(8)
        whole.addWidget(self.filter)
        whole.addWidget(self.table, stretch=1)
        whole.addWidget(self.catcher)
        whole.addLayout(foot)

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
        """Offer what can be done with the action in focus."""
        row = self._rows.get(self.table.chosen) if self.table.chosen is not None else None
        self.change.setEnabled(row is not None)
        self.reset.setEnabled(row is not None and row.changed)
        self.reset_all.setEnabled(any(row.changed for row in self._rows.values()))


def _button(text: str) -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(False)
    return made
