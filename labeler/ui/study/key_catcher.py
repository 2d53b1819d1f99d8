"""A field that takes the next key combination, whatever it is."""

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel

_MODIFIERS = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
}
_SHIFT, _KEYPAD = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier


class KeyCaptureField(QLabel):
    """Waits for a key while it has the focus; Esc, or a press elsewhere, gives up."""

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
        self.setText(f"Press the new keys for “{title}”, or Esc to leave them as they are.")
        self.setAccessibleName(self.text())
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        # Caught here, since Tab never comes as far as keyPressEvent, and as an override first,
        # since a shortcut would otherwise act on the key.
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
        # Hidden while it still has the focus, it would count as given up as well.
        self.hide()
        if event.key() == Qt.Key.Key_Escape:
            self.capture_cancelled.emit()
        else:
            self.caught.emit(key_text(event))


def key_text(event: QKeyEvent) -> str:
    """The pressed combination as the keymap writes it."""
    modifiers, key = event.modifiers() & ~_KEYPAD, Qt.Key(event.key())
    if _is_symbol(event.text()):
        modifiers &= ~_SHIFT  # Shift made the symbol what it is
    combination = QKeyCombination(modifiers, key)
    return QKeySequence(combination).toString(QKeySequence.SequenceFormat.PortableText)


def _is_symbol(text: str) -> bool:
    return len(text) == 1 and text.isprintable() and not text.isalnum() and not text.isspace()
