"""The field in which typing searches."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from labeler.app.keymap import Keymap, Scope
from labeler.ui.icons import icon
from labeler.ui.look import Look


class SearchField(QLineEdit):
    """A text field that leaves the window's own keys to the window, even those that type text."""

    def __init__(self, look: Look, keymap: Keymap) -> None:
        super().__init__()
        self._look = look
        self._left_to_window = {
            key.name
            for binding in keymap.of(Scope.WINDOW)
            for key in binding.keys
            if key.types_text
        }
        self._glass = QAction(self)
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self.setObjectName("search")
        self.setPlaceholderText("Type a name or a description")
        self.setAccessibleName("Find a class")
        look.changed.connect(self._recolour)
        self._recolour()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 40)

    def event(self, event: QEvent) -> bool:
        # A line edit claims every key that types a character before shortcuts are looked up.
        if event.type() == QEvent.Type.ShortcutOverride and self._is_the_windows(event):
            event.ignore()
            return False
        return super().event(event)

    def _is_the_windows(self, event: QEvent) -> bool:
        return isinstance(event, QKeyEvent) and event.text() in self._left_to_window

    def _recolour(self) -> None:
        theme = self._look.theme
        self._glass.setIcon(icon("search", colour=theme.muted, behind=theme.surface))
