"""The training workbench: the evaluation workbench with feedback in place of the answer bar."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.workbench_view import WorkbenchStage, WorkbenchView
from labeler.app.training.feedback import FeedbackView
from labeler.app.training.training_flow import TrainingFlow
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.classes.column_heading import ColumnVerdict
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.text.labels import ElidedPath, IconLabel, label
from labeler.ui.labeling.answer_bar import AnswerBar
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.training.training_band import TrainingBand
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_ICON = 40


class FeedbackBar(QWidget):
    """Shows feedback by word, shape and colour, and the next actions."""

    next_wanted = Signal()
    pressed = Signal(Action)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._appearance = appearance
        self._colour = "open"
        self._icon = IconLabel(appearance, "right", colour="open", size=_ICON)
        self.word = label(rank="heading")
        # Both names matter: in a narrow column they take two lines.
        self.heading = label(rank="heading", wrap=True)
        self._path = ElidedPath(rank="caption")
        self.details = label(rank="muted", wrap=True)
        self.next_button = self._make_next_button(keymap)
        self.write_down = self._button(keymap, Action.WRITE_DOWN, "Add to guide")
        self.guide = self._button(keymap, Action.SHOW_GUIDE, "Guide")
        self.end = self._button(keymap, Action.END_TRAINING, "End training")
        self._lay_out()
        appearance.changed.connect(self._recolour)

    def render_feedback(self, view: FeedbackView) -> None:
        """Show the feedback."""
        name, self._colour = ("right", "open") if view.right else ("wrong", "fault")
        self._icon.set_icon(name, colour=self._colour)
        self.word.setText(f"{view.word}:")
        self.heading.setText(view.heading)
        self._path.setText(view.path)
        self.details.setText(view.details)
        self.write_down.setEnabled(not view.right)
        self._recolour()
        self._announce(view)

    def _announce(self, view: FeedbackView) -> None:
        sentence = f"{view.word}: {view.heading}. {view.details}".strip()
        self.setAccessibleName(sentence)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _recolour(self) -> None:
        self.word.setStyleSheet(f"color: {self._appearance.theme.colours[self._colour]};")

    def _make_next_button(self, keymap: Keymap) -> CommandButton:
        # The key that submitted the answer also continues.
        keys = keymap[Action.CHOOSE_CLASS].keys[:1]
        made = CommandButton(
            self._appearance,
            "Next",
            keys=keys,
            actions=[Action.CHOOSE_CLASS],
            kind=ButtonKind.PRIMARY,
        )
        made.clicked.connect(self.next_wanted)
        return made

    def _button(self, keymap: Keymap, action: Action, text: str) -> KeyButton:
        made = KeyButton(self._appearance, keymap[action], text)
        made.clicked.connect(lambda _checked=False: self.pressed.emit(action))
        return made

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.word, alignment=Qt.AlignmentFlag.AlignTop)
        first.addWidget(self.heading, stretch=1)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(first)
        words.addWidget(self._path)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, stretch=1)
        top.addWidget(self.next_button, alignment=Qt.AlignmentFlag.AlignVCenter)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.write_down, self.guide, self.end):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.details)
        layout.addStretch(1)
        layout.addLayout(foot)


class TrainingWorkbenchScreen(WorkbenchScreen):
    """Shows feedback below the image, and compares both classes next to it."""

    write_down_wanted = Signal(str, str)

    def __init__(
        self,
        *,
        appearance: Appearance,
        keymap: Keymap,
        workbench: WorkbenchPresenter[ImagePyramid],
        flow: TrainingFlow,
        tools: ClassTools,
    ) -> None:
        self.feedback = FeedbackBar(appearance, keymap)
        self.band = TrainingBand(appearance)
        self._training = flow
        super().__init__(
            appearance=appearance, keymap=keymap, workbench=workbench, flow=flow, tools=tools
        )
        self.setMenuWidget(self.band)
        self.feedback.next_wanted.connect(flow.next_trial)
        self.feedback.pressed.connect(self._press)
        keys = bind_scope(self, keymap, Scope.TRAIN, self._training_handlers())
        keys[Action.END_TRAINING].setAutoRepeat(False)

    def render_view(self, view: WorkbenchView[ImagePyramid]) -> None:
        super().render_view(view)
        has_feedback = view.stage is WorkbenchStage.FEEDBACK
        self._below.setCurrentWidget(self.feedback if has_feedback else self.answer)

    def render_feedback(self, view: FeedbackView) -> None:
        """Show the feedback, and compare the correct class with the chosen one."""
        self.feedback.render_feedback(view)
        self._tools.show_side_by_side(view.compared, _verdicts(view))
        self._tools.focus_search()

    def _answer_bar(self, appearance: Appearance, keymap: Keymap) -> AnswerBar:
        return AnswerBar(appearance, keymap, only_forwards=True)

    def _below_image(self) -> QWidget:
        # Stacked, so that the image keeps its size.
        self._below = QStackedWidget()
        self._below.addWidget(self.answer)
        self._below.addWidget(self.feedback)
        return self._below

    def _training_handlers(self) -> Handlers:
        return {Action.WRITE_DOWN: self._write_down, Action.END_TRAINING: self._training.finish}

    def _press(self, action: Action) -> None:
        if action is Action.SHOW_GUIDE:
            self._tools.guide_toggled.emit()
        elif action in (Action.WRITE_DOWN, Action.END_TRAINING):
            self._training_handlers()[action]()
        else:
            super()._press(action)

    def _write_down(self) -> None:
        feedback = self._training.feedback
        if feedback is not None and not feedback.right:
            self.write_down_wanted.emit(feedback.label, feedback.target)


def _verdicts(view: FeedbackView) -> dict[str, ColumnVerdict]:
    """Return the headings of the chosen class, which comes first, and of the correct one."""
    own = ColumnVerdict.RIGHT_ANSWER if view.right else ColumnVerdict.WRONG_ANSWER
    return {view.compared[0]: own, view.compared[-1]: ColumnVerdict.CORRECT}
