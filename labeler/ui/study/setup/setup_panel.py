"""The base class of the panels, and the widgets they share."""

from abc import abstractmethod
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from labeler.app.confirmation import Confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.input.form_fields import NumberField
from labeler.ui.kit.text.confirm_dialog import ask_to_confirm
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import WheelGuard
from labeler.ui.window.theme import Appearance


class SetupPanel(QWidget):
    """A step's panel, which renders the facts and calls the presenter.

    While something `waits` to be added, the Next button is hidden. Leaving `unapplied` changes
    needs a confirmation. `ensure_visible_wanted` asks to scroll a result into view. `edited` is
    emitted when a person edits a field, which makes an earlier message obsolete.
    """

    waiting_changed = Signal()
    edited = Signal()
    ensure_visible_wanted = Signal(QWidget)

    def __init__(
        self, appearance: Appearance, set_up: SetupPresenter, *, title: str, about: str
    ) -> None:
        super().__init__()
        self._appearance, self._set_up = appearance, set_up
        self.waits = False
        self._watched: set[QWidget] = set()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(16)
        self.column.addWidget(label(title, rank="title"))
        self.column.addWidget(label(about, rank="muted", wrap=True))

    def set_waiting(self, waits: bool) -> None:
        if waits is not self.waits:
            self.waits = waits
            self.waiting_changed.emit()

    @property
    def unapplied(self) -> Confirmation | None:
        """What to ask before leaving, or None if there are no unapplied changes."""
        return None

    def apply_all(self, then: Callable[[], None]) -> None:
        """Apply all changes, and call `then` on success."""
        then()

    def take_back(self) -> None:
        """Discard unapplied changes."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch_edits()

    def confirm(
        self, asked: Confirmation, *, then: Callable[[], None], kind: ButtonKind = ButtonKind.DANGER
    ) -> None:
        """Ask for confirmation, and call `then` if the person agrees."""
        ask_to_confirm(self._appearance, self, asked, then=then, kind=kind)

    def _watch_edits(self) -> None:
        """Connect to signals that only a person's input emits, not filling in values."""
        for part in self.findChildren(QWidget):
            if part in self._watched:
                continue
            self._watched.add(part)
            if isinstance(part, QLineEdit):
                part.textEdited.connect(self._edit)
            elif isinstance(part, QAbstractButton) and part.isCheckable():
                part.clicked.connect(self._edit)
            elif isinstance(part, QComboBox):
                part.activated.connect(self._edit)
            elif isinstance(part, QSpinBox):
                part.valueChanged.connect(lambda _value, box=part: self._step(box))

    def _step(self, box: QSpinBox) -> None:
        if box.hasFocus():
            self.edited.emit()

    def _edit(self, *_value: object) -> None:
        self.edited.emit()

    @abstractmethod
    def render_facts(self, facts: SetupFacts) -> None:
        """Show the state of the step."""


def text_field(name: str, *, placeholder: str = "") -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(placeholder)
    return made


def integer_field(name: str, *, least: int, most: int, value: int, none: str = "") -> QSpinBox:
    """Return a number field; with `none`, the minimum is shown as that text."""
    made = NumberField(least=least, most=most, value=value)
    made.setAccessibleName(name)
    made.setSpecialValueText(none)
    made.setGroupSeparatorShown(True)
    WheelGuard(made)
    return made


def push_button(text: str, name: str = "") -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(False)
    made.setAccessibleName(name or text.replace("&", ""))
    return made


def row_layout(*parts: QWidget, stretch: bool = True) -> QHBoxLayout:
    """Lay out widgets side by side; the first one stretches, or the space after them."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for place, part in enumerate(parts):
        row.addWidget(part, stretch=int(stretch and place == 0))
    if not stretch:
        row.addStretch()
    return row
