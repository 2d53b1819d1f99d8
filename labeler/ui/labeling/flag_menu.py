"""The menu of reasons for which an image is flagged, with a tick at those that are given."""

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from labeler.core.labeling.answers import TrialFlag

_FLAG_TEXTS = {
    TrialFlag.NOT_SHOWN: "It can't be seen properly",
    TrialFlag.INAPPROPRIATE: "It is inappropriate",
}


class FlagMenu(QMenu):
    """Passes on what is chosen; only what is flagged can be taken back."""

    flagged = Signal(TrialFlag)
    taken_back = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.reasons = {flag: self._reason(flag, words) for flag, words in _FLAG_TEXTS.items()}
        self.take_back = self.addAction("Take the flag back", self.taken_back.emit)

    def offer(self, above: QWidget, *, flags: frozenset[TrialFlag]) -> None:
        """Open above a button, with the first reason in focus; `flags` are those given now."""
        for flag, action in self.reasons.items():
            action.setChecked(flag in flags)
        self.take_back.setVisible(bool(flags))
        self.popup(above.mapToGlobal(QPoint(0, -self.sizeHint().height())))
        self.setActiveAction(self.actions()[0])

    def _reason(self, flag: TrialFlag, words: str) -> QAction:
        action = self.addAction(words, lambda: self.flagged.emit(flag))
        action.setCheckable(True)
        return action
