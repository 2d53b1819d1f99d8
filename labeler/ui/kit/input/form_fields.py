"""Form fields that are legible in both themes."""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QCheckBox, QComboBox, QPlainTextEdit, QSpinBox

from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance, TypeSize

_ARROW_INSET, _ARROW_WIDTH, _ARROW_HEIGHT = 20, 4, 4


class ChoiceBox(QComboBox):
    """A combo box that paints its arrow in the theme's colour."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self.setAccessibleName(name)

    def hidePopup(self) -> None:
        """Close the list, and clear the hover state."""
        super().hidePopup()
        # Qt sends no leave event after the list was open, so the box would stay highlighted.
        if not self.rect().contains(self.mapFromGlobal(QCursor.pos())):
            self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on=False)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._appearance.colour("muted" if self.isEnabled() else "line")
        painter.setPen(QPen(colour, 1.5))
        x, y = self.width() - _ARROW_INSET, self.height() / 2
        upper, lower = y - _ARROW_HEIGHT / 2, y + _ARROW_HEIGHT / 2
        painter.drawPolyline(
            [
                QPointF(x, upper),
                QPointF(x + _ARROW_WIDTH, lower),
                QPointF(x + 2 * _ARROW_WIDTH, upper),
            ]
        )
        painter.end()


_LEAVING_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Tab)
_NOTE_LINES = 2
# A menu or another window takes the focus only temporarily.
_TEMPORARY_FOCUS_REASONS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class NoteField(QPlainTextEdit):
    """A field for two lines of plain text; Esc and Tab return to the search."""

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
        """Show a note, but keep the cursor if the same text is being typed."""
        if text != self.toPlainText():
            blocked = self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(blocked)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        return QSize(240, _NOTE_LINES * line + 24)

    def event(self, event: QEvent) -> bool:
        # A text field claims the undo key, even when it has no typing to undo.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoes = event.matches(QKeySequence.StandardKey.Undo)
            if undoes and not self.document().isUndoAvailable():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _LEAVING_KEYS:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _TEMPORARY_FOCUS_REASONS:
            self.unfocused.emit()


_NUMBER_INSET = 9  # a style sheet's padding doesn't reach the words in this one


class NumberField(QSpinBox):
    """A field for numbers from `least` to `most`."""

    def __init__(self, *, least: int, most: int, value: int) -> None:
        super().__init__()
        self.lineEdit().setTextMargins(_NUMBER_INSET, 0, _NUMBER_INSET, 0)
        self.setRange(least, most)
        self.setValue(value)


_CHECK_SIZE, _CHECK_GAP, _CHECK_MARGIN = 20, 8, 4


class CheckBox(QCheckBox):
    """A check box drawn with the program's icons."""

    def __init__(self, appearance: Appearance, text: str) -> None:
        super().__init__(text)
        self._appearance = appearance
        appearance.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        flags = Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextShowMnemonic
        words = self.fontMetrics().size(flags, self.text())
        height = max(words.height(), _CHECK_SIZE) + _CHECK_MARGIN
        return QSize(_CHECK_SIZE + _CHECK_GAP + words.width() + _CHECK_MARGIN, height)

    def hitButton(self, position: object) -> bool:  # noqa: ARG002
        return True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        colours = self._appearance.theme.colours
        name = "ticked" if self.isChecked() else "unticked"
        lit = self.isEnabled() and (self.isChecked() or self.hasFocus())
        box = QRectF(0, (self.height() - _CHECK_SIZE) / 2, _CHECK_SIZE, _CHECK_SIZE)
        colour = colours["accent" if lit else "strong_line"]
        paint_icon(painter, box, name, colour=colour, background=colours["surface"])
        painter.setFont(self._appearance.font(TypeSize.BODY))
        painter.setPen(self._appearance.colour(self._words_colour()))
        words = QRect(
            _CHECK_SIZE + _CHECK_GAP, 0, self.width() - _CHECK_SIZE - _CHECK_GAP, self.height()
        )
        flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextShowMnemonic.value
        painter.drawText(words, flags, self.text())

    def _words_colour(self) -> str:
        if not self.isEnabled():
            return "muted"
        return "accent" if self.hasFocus() else "text"
