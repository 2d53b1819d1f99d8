"""One labeler's evaluation in the window: the workbench, and the page at its end."""

from typing import TYPE_CHECKING

from labeler.app.labeling.evaluation_workbench import Workbench
from labeler.app.labeling.workbench_view import Stage
from labeler.ui.kit.pictures.image_pyramid import TrialPixels
from labeler.ui.labeling.labeling_task import LabelingTask, Surroundings
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from labeler.ui.labeling.finish_screen import FinishScreen


class Evaluation(LabelingTask):
    """The evaluation, at whose end the answers are locked."""

    def __init__(self, window: MainWindow, around: Surroundings) -> None:
        desk = around.study.desk(around.code)
        super().__init__(window, desk, around)
        self.workbench = Workbench[TrialPixels](
            desk=desk,
            database=around.workers.database,
            images=self.images,
            clock=around.clock,
            name_class=self._name,
        )
        self.screen = WorkbenchScreen(
            look=around.look, keymap=around.keymap, workbench=self.workbench, tools=self.tools
        )
        self._finish: FinishScreen | None = None
        self._sit_at(self.workbench, self.screen)

    def _at_stage(self, stage: Stage) -> None:
        if stage is Stage.FINISHED:
            self._show_finish()
        elif stage is Stage.LOCKED and self._finish is not None:
            self._finish.locked()
        elif self._finish is not None:
            self._finish = None
            self._window.show_screen(self.screen, hints=self.HINTS)

    def _show_finish(self) -> None:
        from labeler.app.labeling.finish import Finish
        from labeler.ui.labeling.finish_screen import FinishScreen

        finish = FinishScreen(self._look, self._window.keymap, Finish(self.workbench.order))
        finish.go_back_wanted.connect(self.workbench.go_to)
        finish.look_through_wanted.connect(self.workbench.look_through)
        finish.lock_wanted.connect(lambda: self.workbench.lock(failed=finish.failed))
        finish.home_wanted.connect(self.home_wanted)
        self._finish = finish
        self._window.show_screen(finish, keep=self.screen)
