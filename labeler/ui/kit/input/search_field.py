"""The search field."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QKeyCombination, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit

from labeler.app.key_actions import ACTIVE_TOGETHER, Scope
from labeler.app.keymap import Keymap
from labeler.ui.kit.text.labels import label
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

_COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def forward_typing(event: QKeyEvent, typed: SignalInstance) -> None:
    """Forward the text of a key press to the search; other keys are left to the keymap."""
    text = typed_text(event)
    if text:
        typed.emit(text)
    else:
        event.ignore()


def typed_text(event: QKeyEvent) -> str:
    """Return the text that a key press types, or an empty text; a space alone counts as a key."""
    plain = not event.modifiers() & _COMMAND_MODIFIERS
    text = event.text()
    return text if plain and text.isprintable() and text.strip() else ""


_ICON, _GAP = 16, 8
_ACTIVE_SCOPES = next(scopes for scopes in ACTIVE_TOGETHER if Scope.CLASSES in scopes)
_LEFT_KEY, _RIGHT_KEY = QKeyCombination(Qt.Key.Key_Left), QKeyCombination(Qt.Key.Key_Right)


class SearchField(QLineEdit):
    """A text field that leaves the keymap's keys to the keymap, even editing keys."""

    went_left = Signal()
    went_right = Signal()
    clicked = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        # Whether Left and Right always leave the text, because they move among pictures.
        self.gives_arrows_away = False
        self._texts_left: set[str] = set()
        self._takes_text: Callable[[str], bool] = lambda _text: False
        self._keys_left: list[QKeySequence] = []
        self.follow_keymap(keymap)
        self._appearance = appearance
        self._glass = QLabel(self)
        self._count = label(rank="caption")
        self._count.setParent(self)
        self._count.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._count.hide()
        self.setTextMargins(_ICON + _GAP, 0, 0, 0)
        self.setObjectName("search")
        self.setPlaceholderText("Type a name or a description")
        self.setAccessibleName("Find a class")
        appearance.changed.connect(self._draw_search_icon)
        self._draw_search_icon()

    def follow_keymap(self, keymap: Keymap) -> None:
        """Leave these keys to the keymap from now on."""
        keys = [k for b in keymap.bindings if b.scope in _ACTIVE_SCOPES for k in b.keys]
        self._texts_left = {key.name for key in keys if key.types_text}
        self._keys_left = [QKeySequence(str(key)) for key in keys if not key.types_text]

    def end_typing(self) -> None:
        """Select the text and forget how it was typed: the next letter starts a new search."""
        self.setText(self.text())
        self.selectAll()

    def show_count(self, text: str) -> None:
        """Show at the right end how many results there are, or nothing."""
        self._count.setText(text)
        self._count.setVisible(bool(text))
        self._place_count()

    def set_typing_filter(self, takes: Callable[[str], bool]) -> None:
        """Ask `takes` about each typed text first; it returns whether it used the text."""
        self._takes_text = takes

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._glass.setGeometry(12, (self.height() - _ICON) // 2, _ICON, _ICON)
        self._place_count()

    def _place_count(self) -> None:
        wide = self._count.sizeHint().width() if self._count.text() else 0
        self.setTextMargins(_ICON + _GAP, 0, wide + _GAP if wide else 0, 0)
        self._count.setGeometry(self.width() - wide - 12, 0, wide, self.height())

    def event(self, event: QEvent) -> bool:
        # A line edit claims keys that type or, on some systems, edit (Ctrl+E, Ctrl+K, …) before
        # shortcuts are looked up.
        if event.type() == QEvent.Type.ShortcutOverride and self._is_left(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the field with Right at the end of the text, or with both arrows anywhere."""
        pressed = _combination(event)
        at_end = self.cursorPosition() == len(self.text()) and not self.hasSelectedText()
        if pressed == _RIGHT_KEY and (at_end or self.gives_arrows_away):
            self.went_right.emit()
        elif pressed == _LEFT_KEY and self.gives_arrows_away:
            self.went_left.emit()
        elif not event.isAutoRepeat() and (text := typed_text(event)) and self._takes_text(text):
            event.accept()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.clicked.emit()

    def _draw_search_icon(self) -> None:
        # Drawn once, because setting the icon at each letter would repaint the field.
        theme = self._appearance.theme
        drawn = icon("search", colour=theme.muted, background=theme.surface, size=_ICON)
        self._glass.setPixmap(drawn.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))

    def _is_left(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if event.matches(QKeySequence.StandardKey.Undo) and self.isUndoAvailable():
            return False
        return (
            event.text() in self._texts_left or QKeySequence(_combination(event)) in self._keys_left
        )


def _combination(event: QKeyEvent) -> QKeyCombination:
    """Return the key with its modifiers, without the keypad modifier."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeyCombination(modifiers, Qt.Key(event.key()))
