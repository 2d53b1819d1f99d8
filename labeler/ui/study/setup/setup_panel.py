"""What the panels share: a title, a sentence about it, and room for a form."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from labeler.app.study.setup.confirmations import Confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.input.form_fields import NumberField
from labeler.ui.kit.text.confirm_dialog import ask_to_confirm
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import WheelGuard
from labeler.ui.window.theme import Appearance

_TABLE_MAX_HEIGHT = 240


class SetupPanel(QWidget):
    """A step's panel; it renders the facts and asks the presenter for what is pressed.

    While something `waits` to be added, no one is invited to go on to the next step. Anyone who
    leaves what is `unapplied` is asked about it. What an answer shows is wanted in sight, since
    it may lie below the window's edge. Once someone has `edited` a field, what was said against
    it is out of date.
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
        """What to ask anyone who leaves now; None where nothing would be lost by it."""
        return None

    def apply_all(self, then: Callable[[], None]) -> None:
        """Apply what is unapplied, and go on if that was done."""
        then()

    def take_back(self) -> None:
        """Show again what holds."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch_edits()

    def confirm(
        self, asked: Confirmation, *, then: Callable[[], None], kind: ButtonKind = ButtonKind.DANGER
    ) -> None:
        """Ask once more, and go on only when the deed is confirmed."""
        ask_to_confirm(self._appearance, self, asked, then=then, kind=kind)

    def _watch_edits(self) -> None:
        """Listen to what a hand does to the fields, not to what fills them."""
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
        """Show how far the step is."""


def text_field(name: str, *, placeholder: str = "") -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(placeholder)
    return made


def integer_field(name: str, *, least: int, most: int, value: int, none: str = "") -> QSpinBox:
    """A number; with `none` its least value is described in words."""
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
    """Parts side by side; the first takes the room, or what is behind them."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for place, part in enumerate(parts):
        row.addWidget(part, stretch=int(stretch and place == 0))
    if not stretch:
        row.addStretch()
    return row


class _FittedTable(QTreeWidget):
    """As high as its rows; Qt would leave a gap below a single one.

    Many rows end at a limit, below a whole one; a table that grows passes it where there is room.
    """

    def __init__(self, *, grows: bool) -> None:
        super().__init__()
        self._grows = grows

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self._grows else hint.boundedTo(QSize(hint.width(), self._limit()))

    def minimumSizeHint(self) -> QSize:
        least = min(super().sizeHint().height(), self._limit())
        return QSize(super().minimumSizeHint().width(), least)

    def _limit(self) -> int:
        row = self.rowHeight(self.model().index(0, 0))
        if row <= 0:
            return _TABLE_MAX_HEIGHT
        frame_height = super().sizeHint().height() - row * self.topLevelItemCount()
        return frame_height + (_TABLE_MAX_HEIGHT - frame_height) // row * row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A narrow table has a bar below its rows.
        self.updateGeometry()


def text_table(name: str, headings: Sequence[str], *, grows: bool = False) -> QTreeWidget:
    """A table of texts as high as its rows; one that `grows` takes what room the window has."""
    made = _FittedTable(grows=grows)
    made.setAccessibleName(name)
    made.setRootIsDecorated(False)
    made.setUniformRowHeights(True)
    made.setHeaderLabels(list(headings))
    made.setSizeAdjustPolicy(QTreeWidget.SizeAdjustPolicy.AdjustToContents)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
    return made


def fill_table(into: QTreeWidget, rows: Sequence[Sequence[str]]) -> None:
    """Show these rows, with the same one current as before."""
    current = into.currentItem()
    chosen = current.text(0) if current is not None else ""
    into.clear()
    for row in rows:
        item = QTreeWidgetItem(list(row))
        into.addTopLevelItem(item)
        if row[0] == chosen:
            into.setCurrentItem(item)
    for column in range(into.columnCount()):
        # A column that takes what room is left is cut instead of widening the table.
        if into.header().sectionResizeMode(column) is not QHeaderView.ResizeMode.Stretch:
            into.resizeColumnToContents(column)
