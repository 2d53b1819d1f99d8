"""The length, order and seed of a training."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from labeler.app.training.start_view import ORDER_TITLES, TrainingStartView
from labeler.core.training.request import TrainingOrder
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_FIELD_WIDTH = 96


class TrainingOptions(QWidget):
    """Fields for length, seed and order; Enter in a field starts the training."""

    length_typed = Signal(str)
    seed_typed = Signal(str)
    order_chosen = Signal(TrainingOrder)
    entered = Signal()

    def __init__(self, appearance: Appearance, view: TrainingStartView) -> None:
        super().__init__()
        self.length = _field("Number of images", view.length)
        self.seed = _field("Seed", view.seed)
        self.seed.setPlaceholderText("any")
        self.orders = {
            order: CommandButton(appearance, title, kind=ButtonKind.ROLE)
            for order, title in ORDER_TITLES.items()
        }
        self._lay_out()
        self._connect()

    def render_order(self, order: TrainingOrder) -> None:
        self.orders[order].setChecked(True)

    def _connect(self) -> None:
        together = QButtonGroup(self)
        for order, button in self.orders.items():
            button.setCheckable(True)
            together.addButton(button)
            button.clicked.connect(lambda _checked=False, order=order: self._choose(order))
        self.length.textEdited.connect(self.length_typed)
        self.seed.textEdited.connect(self.seed_typed)
        for field in (self.length, self.seed):
            field.returnPressed.connect(self.entered)

    def _choose(self, order: TrainingOrder) -> None:
        self.order_chosen.emit(order)

    def _lay_out(self) -> None:
        numbers = QHBoxLayout()
        numbers.setSpacing(16)
        for caption, field in (("Images", self.length), ("Seed", self.seed)):
            numbers.addLayout(_captioned(caption, field))
        numbers.addStretch(1)
        order = hbox(*self.orders.values(), stretch(1))
        vbox(numbers, label("Order", rank="caption"), order, on=self)


def _captioned(caption: str, field: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(4)
    words = label(caption, rank="caption")
    words.setBuddy(field)
    column.addWidget(words)
    column.addWidget(field)
    return column


def _field(name: str, text: str) -> QLineEdit:
    field = QLineEdit(text)
    field.setAccessibleName(name)
    field.setMaximumWidth(_FIELD_WIDTH)
    return field
