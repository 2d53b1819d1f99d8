"""The field for a labeler's note on a trial."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

_LEAVING_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Tab)
_NOTE_LINES = 2
# A menu or another window has the keyboard for a while only.
_TEMPORARY_FOCUS_REASONS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class NoteField(QPlainTextEdit):
    """Two lines of plain text; Esc and Tab go back to the search."""

    edited = Signal(str)
    left = Signal()
    unfocused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("What the lead should know about this image")
        self.setAccessibleName("Note")
        self.setTabChangesFocus(True)
        self.textChanged.connect(lambda: self.edited.emit(self.toPlainText()))

    def show_text(self, text: str) -> None:
        """Show a note that isn't being typed here; the cursor of one that is stays in place."""
        if text != self.toPlainText():
            blocked = self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(blocked)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        return QSize(240, _NOTE_LINES * line + 24)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _LEAVING_KEYS:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _TEMPORARY_FOCUS_REASONS:
            self.unfocused.emit()
