"""Forms on cards, with labels in a column of fixed width and hints below the fields."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLabel,
    QLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from labeler.ui.kit.layout.boxes import vbox

_NAMES_WIDTH = 112


class CardForm(QFormLayout):
    """Rows of a label and a field; the labels of all cards have the same width."""

    def __init__(self, on: QWidget) -> None:
        super().__init__(on)
        self.setContentsMargins(16, 16, 16, 16)
        self.setHorizontalSpacing(16)
        self.setVerticalSpacing(12)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)

    def add(self, name: str, part: QWidget | QLayout, *, is_text: bool = False) -> None:
        """Add a row; for text, the label is aligned with the first line."""
        shown = QLabel(name)
        shown.setMinimumWidth(_NAMES_WIDTH)
        alignment = Qt.AlignmentFlag.AlignTop if is_text else Qt.AlignmentFlag.AlignVCenter
        shown.setAlignment(Qt.AlignmentFlag.AlignRight | alignment)
        self.addRow(shown, part)


class HintLabel(QLabel):
    """A wrapped text that is exactly as high as its lines.

    QFormLayout sizes a wrapped QLabel as if it were narrow, which leaves a gap below it.
    """

    def __init__(self, text: str = "", *, rank: str = "caption") -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("rank", rank)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        # Qt never returns less than the minimum height.
        self.setMinimumHeight(0)
        lines = self.heightForWidth(self.width()) if self.text() else 0
        self.setFixedHeight(max(lines, 0))


def form_card() -> tuple[QFrame, CardForm]:
    """Return a card with a form."""
    frame = QFrame()
    frame.setProperty("kind", "card")
    return frame, CardForm(frame)


class WheelGuard(QObject):
    """Makes an unfocused field ignore the mouse wheel, so that the panel scrolls."""

    def __init__(self, guarded: QWidget) -> None:
        super().__init__(guarded)
        guarded.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        guarded.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.Wheel
            and isinstance(watched, QWidget)
            and not watched.hasFocus()
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def with_hint(part: QWidget | QLayout, hint: QLabel) -> QVBoxLayout:
    """Lay out a field with a hint below it."""
    return vbox(part, hint, spacing=4)
