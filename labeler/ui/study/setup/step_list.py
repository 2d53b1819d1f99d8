"""The list of steps, with the state of each and which comes next."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from labeler.app.keymap import Key
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.steps import REQUIRED_STEPS, SetupStepView
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel, IconLabel, label
from labeler.ui.window.theme import Appearance

# In the order of the keyboard, left to right.
_KEYS = dict(zip(SetupStep, (*"1234567890", "-", "="), strict=True))
_GROUPS: dict[str, tuple[SetupStep, ...]] = {
    "Prepare the evaluation": REQUIRED_STEPS,
    "Models and review": (SetupStep.MODELS, SetupStep.REVIEWS),
    "At any time": (SetupStep.KEEPING, SetupStep.FILES, SetupStep.SHARING),
}
assert [step for group in _GROUPS.values() for step in group] == list(SetupStep)


class SetupStepList(QWidget):
    """Buttons for all steps, of which one is selected."""

    chosen = Signal(SetupStep)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.buttons = {step: SetupStepButton(appearance, step) for step in SetupStep}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        for heading, steps in _GROUPS.items():
            caption = label(heading, rank="caption")
            caption.setContentsMargins(12, 4, 0, 0)
            column.addWidget(caption)
            for step in steps:
                column.addWidget(self.buttons[step])
        column.addStretch()
        for step, button in self.buttons.items():
            button.clicked.connect(lambda _on=False, to=step: self.chosen.emit(to))

    def bind(self, to: QWidget) -> None:
        """Make the steps' keys work anywhere in the widget."""
        for button in self.buttons.values():
            shortcut = QShortcut(QKeySequence(str(button.key)), to, button.click)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def render_views(self, views: Iterable[SetupStepView]) -> None:
        for view in views:
            self.buttons[view.step].render_view(view)


class SetupStepButton(QPushButton):
    """A step with its state and its key."""

    def __init__(self, appearance: Appearance, step: SetupStep) -> None:
        super().__init__()
        self.key = Key(("Alt",), _KEYS[step])
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.setProperty("kind", "role")
        self.setAccessibleName(step.value)
        self._mark = IconLabel(appearance, "unchosen", colour="strong_line", size=16)
        self._sentence = ElidedLabel(rank="caption")
        words = vbox(label(step.value, rank="number"), self._sentence, spacing=0)
        hbox(
            self._mark,
            grow(words),
            KeyCaps(appearance, [self.key]),
            on=self,
            spacing=12,
            margins=(12, 4, 8, 4),
        )
        self.setMinimumHeight(48)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def render_view(self, view: SetupStepView) -> None:
        sentence = f"Needed · {view.sentence}" if view.is_next else view.sentence
        self._sentence.setText(sentence)
        self.setToolTip(sentence)
        self.setAccessibleDescription(sentence)
        if view.warns:
            self._mark.set_icon("damaged", colour="locked")
        elif view.done:
            self._mark.set_icon("right", colour="open")
        elif view.is_next:
            self._mark.set_icon("chosen", colour="accent")
        else:
            self._mark.set_icon("unchosen", colour="strong_line")
