"""What stands in the window while a study is being opened."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.ui.window.look import Appearance

# Most studies open sooner, and a word that flashes by only disturbs.
_SHOWN_AFTER_MS = 400


class LoadingScreen(QWidget):
    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._late = QTimer(self, singleShot=True, interval=_SHOWN_AFTER_MS)
        self._late.timeout.connect(self._say)
        self._late.start()

    def _say(self) -> None:
        from labeler.ui.kit.text.empty_state import EmptyState

        message = EmptyState(self._look)
        message.say("Opening the study …", icon="waiting")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 16)
        whole.addWidget(message)
