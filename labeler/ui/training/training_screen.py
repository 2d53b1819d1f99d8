"""The training's workbench: the evaluation's, with a feedback strip in place of the answer bar."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.labeling.workbench_view import WorkbenchStage, WorkbenchView
from labeler.app.training.feedback_views import FeedbackView
from labeler.app.training.workbench import TrainingWorkbench
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.labeling.answer_bar import AnswerBar
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.training.feedback_bar import FeedbackBar
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.look import Appearance


class TrainingWorkbenchScreen(WorkbenchScreen):
    """Shows feedback below the image, and both classes side by side beside it."""

    write_down_wanted = Signal(str, str)

    def __init__(
        self,
        *,
        look: Appearance,
        keymap: Keymap,
        workbench: TrainingWorkbench[ImagePyramid],
        tools: ClassTools,
    ) -> None:
        self.feedback = FeedbackBar(look, keymap)
        self._training = workbench
        super().__init__(look=look, keymap=keymap, workbench=workbench, tools=tools)
        self.feedback.next_wanted.connect(workbench.go_on)
        self.feedback.pressed.connect(self._press)
        keys = bind_scope(self, keymap, Scope.TRAIN, self._training_handlers())
        keys[Action.END_TRAINING].setAutoRepeat(False)

    def render_view(self, view: WorkbenchView[ImagePyramid]) -> None:
        super().render_view(view)
        is_told = view.stage is WorkbenchStage.FEEDBACK
        self._below.setCurrentWidget(self.feedback if is_told else self.answer)

    def render_feedback(self, view: FeedbackView) -> None:
        """Tell what the image shows, and show what it was taken for beside it."""
        self.feedback.render_feedback(view)
        self._tools.show_side_by_side(view.compared)
        self._tools.focus_search()

    def _answer_bar(self, look: Appearance, keymap: Keymap) -> AnswerBar:
        return AnswerBar(look, keymap, only_forwards=True)

    def _below_image(self) -> QWidget:
        # One on top of the other, so that the image keeps its room.
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
        told = self._training.feedback
        if told is not None and not told.right:
            self.write_down_wanted.emit(told.label, told.target)
