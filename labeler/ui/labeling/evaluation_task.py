"""One labeler's evaluation in the window: the workbench, and the page at its end."""

from labeler.app.labeling.evaluation_flow import EvaluationFlow
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.finish import FinishPresenter
from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.labeling.labeling_task import LabelingTask
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.context import StudyContext


class EvaluationTask(LabelingTask):
    """The evaluation, at whose end the answers are locked."""

    def __init__(self, context: StudyContext) -> None:
        session = EvaluationSession(context.study.store, context.code)
        super().__init__(session, context)
        self.flow = EvaluationFlow(session, context.workers.database)
        self.workbench = WorkbenchPresenter[ImagePyramid](
            session=session,
            flow=self.flow,
            database=context.workers.database,
            images=self.images,
            clock=context.clock,
            name_class=self._name,
        )
        self.screen = WorkbenchScreen(
            appearance=context.appearance,
            keymap=context.keymap,
            workbench=self.workbench,
            flow=self.flow,
            tools=self.tools,
        )
        self._finish: FinishScreen | None = None
        self._connect(self.workbench, self.flow, self.screen)

    def _at_stage(self, stage: WorkbenchStage) -> None:
        if stage is WorkbenchStage.FINISHED:
            self._show_finish()
        elif stage is WorkbenchStage.LOCKED and self._finish is not None:
            self._finish.locked()
        elif self._finish is not None:
            self._finish = None
            self._window.show_screen(self.screen, hints=self.HINTS)

    def _show_finish(self) -> None:
        finish = FinishScreen(
            self._appearance, self._window.keymap, FinishPresenter(self.workbench.trials.order)
        )
        finish.go_back_wanted.connect(self.flow.go_to)
        finish.look_through_wanted.connect(self.flow.look_through)
        finish.lock_wanted.connect(lambda: self.flow.lock(failed=finish.failed))
        finish.home_wanted.connect(self.home_wanted)
        self._finish = finish
        self._window.show_screen(finish, keep=self.screen)
