"""The switch between the system's, the light and the dark theme."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from labeler.app.study.app_settings import ThemeChoice
from labeler.ui.window.icons import icon
from labeler.ui.window.look import Appearance


class ThemeSwitch(QWidget):
    """Three buttons of which one is down; it follows the look, whoever changed it."""

    chosen = Signal(ThemeChoice)

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._group = QButtonGroup(self)
        self._buttons = {choice: self._button(choice) for choice in ThemeChoice}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in self._buttons.values():
            row.addWidget(button)
        self.setAccessibleName("Theme")
        look.changed.connect(self._follow)
        self._follow()

    def _button(self, choice: ThemeChoice) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setAccessibleName(f"{choice.capitalize()} theme")
        button.setToolTip(f"{choice.capitalize()} theme")
        button.clicked.connect(lambda: self.chosen.emit(choice))
        self._group.addButton(button)
        return button

    def _follow(self) -> None:
        theme = self._look.theme
        for choice, button in self._buttons.items():
            button.setIcon(icon(choice, colour=theme.text, behind=theme.window))
            button.setChecked(choice is self._look.choice)
