"""The classes answered last, each with its own key."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.app.classes.class_view import ClassLink
from labeler.app.keymap import Action, Keymap
from labeler.app.labeling.workbench_view import ChosenClass
from labeler.ui.classes.chip_row import ClassChipRow


class RecentClassesRow(QWidget):
    """A row of buttons, numbered like their keys."""

    chosen = Signal(str)

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._chips = ClassChipRow("Recent", none=_key_hint(keymap))
        self._chips.chosen.connect(self.chosen)
        self._shown: tuple[ChosenClass, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._chips)

    def follow_keymap(self, keymap: Keymap) -> None:
        self._chips.show_no_links(_key_hint(keymap))

    def show_classes(self, recent: tuple[ChosenClass, ...]) -> None:
        if recent == self._shown:
            return
        self._shown = recent
        links = (ClassLink(c.wnid, f"{n} {c.name}") for n, c in enumerate(recent, start=1))
        self._chips.show_links(tuple(links))


def _key_hint(keymap: Keymap) -> str:
    first, last = keymap[Action.RECENT_1].keys[0], keymap[Action.RECENT_9].keys[0]
    return f"{first} to {last} choose a recently used class"
