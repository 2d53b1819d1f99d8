"""A labeler's evaluation: the workbench, the page at its end, and the labeler's own answers."""

from PySide6.QtGui import QImage

from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.labeling.evaluation_flow import EvaluationFlow
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.finish import FinishPresenter
from labeler.app.labeling.my_answers import MyAnswers
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.runner import ignore
from labeler.app.tile_loader import TileLoader
from labeler.core.labeling.own_answers import OwnAnswer
from labeler.ui.kit.pictures.contact_sheet import decode_original, decode_tile
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.labeling.labeling_task import LabelingTask
from labeler.ui.labeling.my_answers_screen import MyAnswersScreen
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.context import StudyContext


class EvaluationTask(LabelingTask):
    """The evaluation, which ends by locking the answers."""

    def __init__(self, context: StudyContext) -> None:
        self._evaluation = session = EvaluationSession(context.study.store, context.code)
        super().__init__(session, context)
        self.flow = EvaluationFlow(session, context.workers.database)
        self.workbench = self._new_workbench(self.flow)
        self.screen = WorkbenchScreen(
            appearance=context.appearance,
            keymap=context.keymap,
            workbench=self.workbench,
            flow=self.flow,
            tools=self.tools,
        )
        self._finish: FinishScreen | None = None
        self._pictures: TileLoader[QImage] | None = None
        self._references: FirstReferences[QImage] | None = None
        self._answers = MyAnswers((), name_class=lambda wnid: self._name(wnid).name)
        # The answer that was opened from My answers, to which the labeler returns.
        self._opened: str | None = None
        self._connect(self.workbench, self.flow, self.screen)

    def _at_stage(self, stage: WorkbenchStage) -> None:
        if stage is WorkbenchStage.FINISHED:
            if self._opened is None:
                self._show_finish()
            else:
                self._read_answers()
        elif stage is WorkbenchStage.LOCKED and self._finish is not None:
            self._finish.locked()
        elif self._window.screen_shown is not self.screen:
            self._finish = None
            self._close_pictures()
            self._window.show_screen(self.screen, hints=self.HINTS)

    def _show_finish(self) -> None:
        self._opened = None
        finish = FinishScreen(
            self._appearance,
            self._window.keymap,
            FinishPresenter(self.workbench.trials.order),
            pictures=self._new_pictures(),
        )
        finish.go_back_wanted.connect(self.flow.go_to)
        finish.look_through_wanted.connect(self.flow.look_through)
        finish.my_answers_wanted.connect(self._read_answers)
        finish.lock_wanted.connect(lambda: self.flow.lock(failed=finish.failed))
        finish.home_wanted.connect(self.home_wanted)
        self._finish = finish
        self._window.show_screen(finish, keep=self.screen)
        self._read_time(finish)

    def _read_time(self, finish: FinishScreen) -> None:
        def show(active_ms: int) -> None:
            if finish is self._finish and not self._leaving:
                finish.set_time(active_ms)

        self._workers.database.run(
            "read active time",
            self._evaluation.active_ms,
            done=show,
            # The page is useful without it.
            failed=ignore,
        )

    def _read_answers(self) -> None:
        """Read the answers, which may have changed, and show them."""
        self._workers.database.run(
            "read own answers",
            self._evaluation.own_answers,
            done=self._show_answers,
            failed=lambda error: self._show_problem(self.workbench.sentence(error)),
        )

    def _show_answers(self, found: tuple[OwnAnswer, ...]) -> None:
        if self._leaving:
            return
        self._finish = None
        self._answers.replace(found)
        screen = MyAnswersScreen(
            self._appearance,
            self._window.keymap,
            self._answers,
            self._new_pictures(),
            references=self._new_references(),
            select=self._opened,
        )
        screen.opened.connect(self._open_answer)
        screen.left.connect(self._show_finish)
        self._window.show_screen(screen, keep=self.screen)
        screen.grid.setFocus()

    def _open_answer(self, trial_id: str) -> None:
        self._opened = trial_id
        self.flow.go_to(trial_id)

    def _show_problem(self, sentence: str) -> None:
        if self._finish is None:
            self._show_finish()
        if self._finish is not None:
            self._finish.failed(sentence)

    def _release(self) -> None:
        self._close_pictures()
        super()._release()

    def _close_pictures(self) -> None:
        """Drop requests of a screen that is going away."""
        if self._pictures is not None:
            self._pictures.close()
        if self._references is not None:
            self._references.close()

    def _new_references(self) -> FirstReferences[QImage]:
        self._references = FirstReferences(
            folder=self._study.places.thumbnails,
            runner=self._workers.decoding,
            decode=decode_tile,
            many=True,
        )
        return self._references

    def _new_pictures(self) -> TileLoader[QImage]:
        self._close_pictures()
        self._pictures = TileLoader(
            fetch=self._evaluation.picture,
            shrink=lambda encoded, side: decode_original(encoded, (side, side)),
            runner=self._workers.decoding,
        )
        return self._pictures
