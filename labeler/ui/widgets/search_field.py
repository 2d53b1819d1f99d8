"""The field in which typing searches."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from labeler.app.keymap import Keymap, Scope
from labeler.ui.look import Look
from labeler.ui.widgets.icon_label import IconLabel

_ICON, _GAP = 16, 8


class SearchField(QLineEdit):
    """A text field that leaves the window's own keys to the window, even those that type text."""

    def __init__(self, look: Look, keymap: Keymap) -> None:
        super().__init__()
        self._left_to_window = {
            key.name
            for binding in keymap.of(Scope.WINDOW)
            for key in binding.keys
            if key.types_text
        }
        self._glass = IconLabel(look, "search", colour="muted", size=_ICON)
        self._glass.setParent(self)
        self.setTextMargins(_ICON + _GAP, 0, 0, 0)
        self.setObjectName("search")
        self.setPlaceholderText("Type a name or a description")
        self.setAccessibleName("Find a class")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._glass.setGeometry(12, (self.height() - _ICON) // 2, _ICON, _ICON)

    def event(self, event: QEvent) -> bool:
        # A line edit claims every key that types a character before shortcuts are looked up.
        if event.type() == QEvent.Type.ShortcutOverride and self._is_the_windows(event):
            event.ignore()
            return False
        return super().event(event)

    def _is_the_windows(self, event: QEvent) -> bool:
        return isinstance(event, QKeyEvent) and event.text() in self._left_to_window
