"""The saved families, one of which is chosen; one's own can be forgotten."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QVBoxLayout, QWidget

from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_COLUMNS = 2


class FamilyPicker(QWidget):
    """Renders the families by name."""

    chosen = Signal(str)
    forgotten = Signal(str)

    def __init__(self, look: Appearance, names: tuple[str, ...]) -> None:
        super().__init__()
        self._chosen = ""
        self.buttons = {name: CommandButton(look, name, kind=ButtonKind.ROLE) for name in names}
        self.forget = QPushButton("Forget this family")
        self.forget.setAutoDefault(False)
        together = QButtonGroup(self)
        for name, button in self.buttons.items():
            button.setCheckable(True)
            together.addButton(button)
            button.clicked.connect(lambda _checked=False, name=name: self.chosen.emit(name))
        self.forget.clicked.connect(lambda: self.forgotten.emit(self._chosen))
        self._lay_out()

    def choose(self, name: str) -> None:
        self._chosen = name
        if name in self.buttons:
            self.buttons[name].setChecked(True)

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 8, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(label("Which family?", rank="caption"))
        grid = QGridLayout()
        grid.setSpacing(8)
        for number, button in enumerate(self.buttons.values()):
            grid.addWidget(button, number // _COLUMNS, number % _COLUMNS)
        whole.addLayout(grid)
        whole.addWidget(self.forget, alignment=Qt.AlignmentFlag.AlignLeft)
        whole.addStretch(1)
