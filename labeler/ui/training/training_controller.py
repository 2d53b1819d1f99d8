"""Training in the window: the start page, the workbench, the summary."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.classes.references import ClassThumbnails
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.app.training.decks import TrainingDecks, read_training_decks
from labeler.app.training.facts import (
    TrainingFacts,
    UnfinishedTraining,
    training_facts,
    unfinished_training,
)
from labeler.app.training.families import remove_own_family, save_own_family
from labeler.app.training.feedback import TrainingSummary
from labeler.app.training.progress_text import capitalise_first
from labeler.app.training.session import TrainingLabelingSession
from labeler.app.training.start import (
    TrainingStart,
    replace_training_view,
)
from labeler.app.training.start_view import training_title
from labeler.app.training.summary import training_summary_view
from labeler.app.training.training_flow import TrainingFlow
from labeler.app.training.training_review import TrainingReview
from labeler.app.training.viewer import TrainingViewer
from labeler.core.training.request import SavedFamily, TrainingRequest
from labeler.ui.guide.guide_controller import GuideController
from labeler.ui.kit.pictures.contact_sheet import decode_original, decode_tile
from labeler.ui.kit.text.empty_state import LoadingScreen
from labeler.ui.labeling.labeling_task import LabelingTask
from labeler.ui.training.open_training_dialog import OpenTrainingDialog
from labeler.ui.training.summary_screen import TrainingSummaryScreen
from labeler.ui.training.training_screen import TrainingWorkbenchScreen
from labeler.ui.training.training_start_screen import TrainingStartScreen
from labeler.ui.window.context import StudyContext
from labeler.ui.window.hint_bar import HintSet

T = TypeVar("T")
# Of the missed images on the summary.
_PICTURE_SIZE = (480, 360)


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
        self.workbench = self._new_workbench(self.flow)
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
        """Handle the stages; the summary has its own signal."""
        if stage is not WorkbenchStage.OPENING:
            title = training_title(self.session.request, self._context.study.taxonomy)
            self.screen.band.show_deck(capitalise_first(title))
        if self._window.screen_shown is self.screen:
            self._window.hint_bar.show_hints(self._hints_at(stage))

    def _hints_at(self, stage: WorkbenchStage) -> HintSet:
        return HintSet.FEEDBACK if stage is WorkbenchStage.FEEDBACK else self.HINTS

    def leave(self, then: Callable[[], None]) -> None:
        self._stop_writing()
        super().leave(then)

    def _write_down(self, chosen: str, right: str) -> None:
        self._docks = self.screen.docks.saved()
        self._writing = GuideController(self._context)
        self._writing.left.connect(self._come_back)
        self._writing.write_down(chosen=chosen, right=right, keep=self.screen)

    def _come_back(self) -> None:
        """Show the feedback again, with the current content of the guide."""
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
    """Shows the start page, runs trainings, and shows their summaries."""

    home_wanted = Signal()
    progress_wanted = Signal()
    declined = Signal()
    stopped = Signal(str)

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._window, self._context = context.window, context
        self.task: TrainingTask | None = None

    def show_start(self, sentence: str = "") -> None:
        """Show the start page; `sentence` says why a training wasn't started."""
        study, code = self._context.study, self._context.code
        self._window.show_screen(LoadingScreen(self._context.appearance))
        self._context.run(
            "read trainings",
            lambda: (
                training_facts(study.store, code, guide_pairs=study.guide_facts().pairs),
                read_training_decks(study.store, code, study.guide()),
            ),
            done=lambda known: self._render_start(*known, sentence=sentence),
            failed=self.stopped.emit,
        )

    def ask_for(self, request: TrainingRequest) -> None:
        """Start a new training; if one is unfinished, ask whether to resume that instead."""
        study, code = self._context.study, self._context.code
        self._context.run(
            "find unfinished training",
            lambda: unfinished_training(study.store, code),
            done=lambda waiting: self._begin_or_question(request, waiting),
            failed=self.stopped.emit,
        )

    def begin(self, request: TrainingRequest | None) -> None:
        """Start the requested training; without a request, resume the unfinished one."""
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
        """Leave what is open; an unfinished training can be resumed later."""
        self._leave_task(then)
        self.deleteLater()

    def _render_start(self, facts: TrainingFacts, decks: TrainingDecks, *, sentence: str) -> None:
        screen = TrainingStartScreen(
            self._context.appearance,
            self._context.keymap,
            TrainingStart(facts),
            decks,
            class_pictures(self._context),
        )
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
        images = self._training_pictures()
        classes = class_pictures(self._context)
        screen = TrainingSummaryScreen(
            self._context.appearance, self._context.keymap, view, images=images, classes=classes
        )
        title = training_title(request, self._context.study.taxonomy)
        screen.band.show_deck(capitalise_first(title))
        screen.destroyed.connect(images.close)
        screen.destroyed.connect(classes.close)
        screen.again_wanted.connect(lambda: self._leave_task(lambda: self.begin(request)))
        screen.other_wanted.connect(lambda: self._leave_task(self.show_start))
        screen.progress_wanted.connect(self.progress_wanted)
        screen.home_wanted.connect(self.home_wanted)
        self._window.show_screen(screen, keep=task.screen)

    def _training_pictures(self) -> ThumbnailLoader[int, QImage]:
        review = TrainingReview(
            self._context.study.store, TrainingViewer(self._context.code, self._context.role)
        )
        return ThumbnailLoader(
            runner=self._context.workers.decoding,
            load=lambda image: decode_original(review.picture(image), _PICTURE_SIZE),
        )

    def _show_start_with_error(self, sentence: str) -> None:
        """Return to the start page with the reason why a training can't start or resume."""
        self._leave_task(lambda: self.show_start(sentence))

    def _leave_task(self, then: Callable[[], None]) -> None:
        task, self.task = self.task, None
        if task is None:
            then()
        else:
            task.leave(then)


def class_pictures(context: StudyContext) -> ClassThumbnails[QImage]:
    """Return a loader of one picture of each class."""
    return ClassThumbnails(
        folder=context.study.places.thumbnails,
        runner=context.workers.decoding,
        decode=decode_tile,
    )
