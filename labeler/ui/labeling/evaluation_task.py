"""One labeler's evaluation in the window: the workbench, and the page at its end."""

from typing import TYPE_CHECKING

from labeler.app.labeling.evaluation_workbench import EvaluationWorkbench
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.labeling.labeling_task import LabelingTask
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.context import StudyContext

if TYPE_CHECKING:
    from labeler.ui.labeling.finish_screen import FinishScreen


class EvaluationTask(LabelingTask):
    """The evaluation, at whose end the answers are locked."""

    def __init__(self, context: StudyContext) -> None:
        session = context.study.evaluation_session(context.code)
        super().__init__(session, context)
        self.workbench = EvaluationWorkbench[ImagePyramid](
            session=session,
            database=context.workers.database,
            images=self.images,
            clock=context.clock,
            name_class=self._name,
        )
        self.screen = WorkbenchScreen(
            appearance=context.appearance,
            keymap=context.keymap,
            workbench=self.workbench,
            tools=self.tools,
        )
        self._finish: FinishScreen | None = None
        self._use_workbench(self.workbench, self.screen)

    def _at_stage(self, stage: WorkbenchStage) -> None:
        if stage is WorkbenchStage.FINISHED:
            self._show_finish()
        elif stage is WorkbenchStage.LOCKED and self._finish is not None:
            self._finish.locked()
        elif self._finish is not None:
            self._finish = None
            self._window.show_screen(self.screen, hints=self.HINTS)

    def _show_finish(self) -> None:
        from labeler.app.labeling.finish import FinishPresenter
        from labeler.ui.labeling.finish_screen import FinishScreen

        finish = FinishScreen(
            self._appearance, self._window.keymap, FinishPresenter(self.workbench.order)
        )
        finish.go_back_wanted.connect(self.workbench.go_to)
        finish.look_through_wanted.connect(self.workbench.look_through)
        finish.lock_wanted.connect(lambda: self.workbench.lock(failed=finish.failed))
        finish.home_wanted.connect(self.home_wanted)
        self._finish = finish
        self._window.show_screen(finish, keep=self.screen)
