"""Trainings in the window: the start page, the workbench, the summary."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, Signal

from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.opened_study import OpenedStudy
from labeler.app.training.facts import (
    TrainingFacts,
    UnfinishedTraining,
    training_facts,
    unfinished_training,
)
from labeler.app.training.families import remove_own_family, save_own_family
from labeler.app.training.feedback import TrainingSummary
from labeler.app.training.session import TrainingLabelingSession
from labeler.app.training.start import (
    TrainingStart,
    replace_training_view,
    suggested_training,
)
from labeler.app.training.start_view import SuggestedTraining
from labeler.app.training.summary import training_summary_view
from labeler.app.training.training_flow import TrainingFlow
from labeler.app.training.training_review import TrainingReview
from labeler.app.training.viewer import TrainingViewer
from labeler.core.study.entities import Role
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource
from labeler.ui.guide.guide_controller import GuideController
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.text.empty_state import LoadingScreen
from labeler.ui.labeling.labeling_task import LabelingTask
from labeler.ui.training.open_training_dialog import OpenTrainingDialog
from labeler.ui.training.summary_screen import TrainingSummaryScreen
from labeler.ui.training.training_screen import TrainingWorkbenchScreen
from labeler.ui.training.training_start_screen import TrainingStartScreen
from labeler.ui.window.context import StudyContext
from labeler.ui.window.hint_bar import HintSet

T = TypeVar("T")


class TrainingTask(LabelingTask):
    """One training: answers with feedback, then a summary."""

    summed_up = Signal(object)

    def __init__(self, context: StudyContext, request: TrainingRequest | None) -> None:
        study = context.study
        session = TrainingLabelingSession(
            study.store, context.code, request, guide_pairs=lambda: study.guide_facts().pairs
        )
        super().__init__(session, context)
        self._context = context
        self._writing: GuideController | None = None
        self._docks = QByteArray()
        self.session = session
        self.flow = TrainingFlow(
            session,
            context.workers.database,
            name_class=self._name,
            has_distinction=self.tools.have_guide_row,
        )
        self.workbench = WorkbenchPresenter[ImagePyramid](
            session=session,
            flow=self.flow,
            database=context.workers.database,
            images=self.images,
            clock=context.clock,
            name_class=self._name,
        )
        self.screen = TrainingWorkbenchScreen(
            appearance=context.appearance,
            keymap=context.keymap,
            workbench=self.workbench,
            flow=self.flow,
            tools=self.tools,
        )
        self.flow.listen_for_feedback(self.screen.render_feedback, self.summed_up.emit)
        self.screen.write_down_wanted.connect(self._write_down)
        self._connect(self.workbench, self.flow, self.screen)

    def _at_stage(self, stage: WorkbenchStage) -> None:
        """The summary comes by its own way; the same key means another thing after feedback."""
        if self._window.screen_shown is self.screen:
            self._window.hint_bar.show_hints(self._hints_at(stage))

    def _hints_at(self, stage: WorkbenchStage) -> HintSet:
        return HintSet.TOLD if stage is WorkbenchStage.FEEDBACK else self.HINTS

    def leave(self, then: Callable[[], None]) -> None:
        self._stop_writing()
        super().leave(then)

    def _write_down(self, chosen: str, right: str) -> None:
        self._docks = self.screen.docks.saved()
        self._writing = GuideController(self._context)
        self._writing.left.connect(self._come_back)
        self._writing.write_down(chosen=chosen, right=right, keep=self.screen)

    def _come_back(self) -> None:
        """Show the feedback again, with what the guide says now."""
        self._window.show_screen(self.screen, hints=self._hints_at(self.workbench.view.stage))
        self.screen.docks.arrange(self._docks)
        self._stop_writing()
        self.tools.focus_search()
        self.tools.load_guide(self.flow.show_feedback_again)

    def _stop_writing(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.close()


class TrainingController(QObject):
    """Leads from the page before a training through it and on to the next."""

    home_wanted = Signal()
    progress_wanted = Signal()
    declined = Signal()
    stopped = Signal(str)

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._window, self._context = context.window, context
        self.task: TrainingTask | None = None

    def show_start(self, sentence: str = "") -> None:
        """Show what can be trained on; `sentence` says why something wasn't begun."""
        study, code = self._context.study, self._context.code
        self._window.show_screen(LoadingScreen(self._context.appearance))
        self._context.run(
            "read trainings",
            lambda: (
                training_facts(study.store, code, guide_pairs=study.guide_facts().pairs),
                _read_suggestions(study, code),
            ),
            done=lambda known: self._render_start(*known, sentence=sentence),
            failed=self.stopped.emit,
        )

    def ask_for(self, request: TrainingRequest) -> None:
        """Begin a new training; if one is unfinished, ask whether to continue that instead."""
        study, code = self._context.study, self._context.code
        self._context.run(
            "find unfinished training",
            lambda: unfinished_training(study.store, code),
            done=lambda waiting: self._begin_or_question(request, waiting),
            failed=self.stopped.emit,
        )

    def begin(self, request: TrainingRequest | None) -> None:
        """Begin the training that was requested; without a request, continue the unfinished one."""
        task = self.task = TrainingTask(self._context, request)
        task.stopped.connect(self._show_start_with_error)
        task.summed_up.connect(self._show_summary)
        task.start()

    def _begin_or_question(
        self, request: TrainingRequest, waiting: UnfinishedTraining | None
    ) -> None:
        if waiting is None:
            self.begin(request)
            return
        context = self._context
        view = replace_training_view(waiting, request, taxonomy=context.study.taxonomy)
        question = OpenTrainingDialog(context.appearance, context.keymap, view, self._window)
        question.go_on_wanted.connect(lambda: self.begin(None))
        question.replace_wanted.connect(lambda: self.begin(request))
        question.rejected.connect(self.declined)
        question.open()

    def leave(self, then: Callable[[], None]) -> None:
        """Leave what is open; an unfinished training can be continued later."""
        self._leave_task(then)
        self.deleteLater()

    def _render_start(
        self, facts: TrainingFacts, suggested: tuple[SuggestedTraining, ...], *, sentence: str
    ) -> None:
        start = TrainingStart(facts, suggested)
        screen = TrainingStartScreen(self._context.appearance, self._context.keymap, start)
        screen.begin_wanted.connect(self.ask_for)
        screen.continue_wanted.connect(lambda: self.begin(None))
        screen.save_wanted.connect(lambda family: self._save(screen, family))
        screen.forget_wanted.connect(self._forget)
        screen.home_wanted.connect(self.home_wanted)
        screen.progress_wanted.connect(self.progress_wanted)
        self._window.show_screen(screen)
        screen.say(sentence)

    def _save(self, screen: TrainingStartScreen, family: SavedFamily) -> None:
        study, code = self._context.study, self._context.code
        self._context.run(
            "save family",
            lambda: save_own_family(study.store, code, family),
            done=lambda _nothing: self.show_start(),
            failed=screen.say,
        )

    def _forget(self, name: str) -> None:
        study, code = self._context.study, self._context.code
        self._context.run(
            "delete family",
            lambda: remove_own_family(study.store, code, name),
            done=lambda _nothing: self.show_start(),
            failed=self.show_start,
        )

    def _show_summary(self, summary: TrainingSummary) -> None:
        view = training_summary_view(
            summary, taxonomy=self._context.study.taxonomy, now=self._context.clock.utc()
        )
        task = self.task
        assert task is not None, "a summary is of a training"
        request = task.session.request
        screen = TrainingSummaryScreen(self._context.appearance, self._context.keymap, view)
        screen.again_wanted.connect(lambda: self._leave_task(lambda: self.begin(request)))
        screen.other_wanted.connect(lambda: self._leave_task(self.show_start))
        screen.progress_wanted.connect(self.progress_wanted)
        screen.home_wanted.connect(self.home_wanted)
        self._window.show_screen(screen, keep=task.screen)

    def _show_start_with_error(self, sentence: str) -> None:
        """A training that can't begin or go on leads back to the page before it."""
        self._leave_task(lambda: self.show_start(sentence))

    def _leave_task(self, then: Callable[[], None]) -> None:
        task, self.task = self.task, None
        if task is None:
            then()
        else:
            task.leave(then)


def _read_suggestions(study: OpenedStudy, code: str) -> tuple[SuggestedTraining, ...]:
    """What the labeler's answers suggest, beyond what the page offers by itself."""
    offered = (TrainingSource.DUE, TrainingSource.EVERYTHING)
    found = TrainingReview(study.store, TrainingViewer(code, Role.LABELER)).suggestions()
    return tuple(suggested_training(each) for each in found if each.request.source not in offered)
