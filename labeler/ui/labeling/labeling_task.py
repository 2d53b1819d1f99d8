"""A labeling task in the window: builds the workbench and tears it down."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.session import BaseLabelingSession
from labeler.app.labeling.task_flow import TaskFlow
from labeler.app.labeling.workbench_view import ChosenClass, WorkbenchStage
from labeler.app.runner import ignore
from labeler.app.study.preferences import UserPreferences
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid, refit_pyramid
from labeler.ui.kit.text.second_window_dialog import ask_about_window
from labeler.ui.labeling.layout_menu import layout_preset
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.window.context import StudyContext
from labeler.ui.window.hint_bar import HintSet


class LabelingTask(QObject):
    """Connects presenter, screen and study while a labeler works on a task."""

    home_wanted = Signal()
    stopped = Signal(str)

    HINTS = HintSet.ANSWERING

    def __init__(
        self,
        session: BaseLabelingSession,
        context: StudyContext,
    ) -> None:
        super().__init__(context.window)
        self._window, self._appearance = context.window, context.appearance
        self._preferences, self._memory = context.preferences, context.memory
        self._workers, self._study = context.workers, context.study
        self._code, self._clock = context.code, context.clock
        self._leaving = False
        self._session = session
        self._bench: WorkbenchPresenter[ImagePyramid]
        self._flow: TaskFlow
        self._screen: WorkbenchScreen
        self.tools = ClassTools(context, page_opened=self._page_opened, asks=True)
        self.images = TrialImageLoader[ImagePyramid](
            fetch=session.picture,
            prepare=build_pyramid,
            refit=refit_pyramid,
            runner=context.workers.decoding,
            clock=context.clock,
        )

    @abstractmethod
    def _at_stage(self, stage: WorkbenchStage) -> None:
        """Show the stage that the task has reached."""

    def start(self) -> None:
        """Show the workbench with this person's arrangement of docks, and start the session."""
        self._apply_preferences(self._preferences.settings)
        self._window.show_screen(self._screen, hints=self.HINTS)
        preset = layout_preset(self._memory.layout(self._code))
        self._screen.docks.arrange(self._memory.docks(self._code), preset)
        self._screen.layout_button.show_preset(preset)
        self._screen.start()

    def leave(self, then: Callable[[], None]) -> None:
        """End the session; everything is saved."""
        self._leaving = True
        self._memory.remember_docks(self._code, self._screen.docks.saved())
        self._screen.stop()
        self._bench.leave(then)
        self.images.close()
        self._release()

    def _new_workbench(self, flow: TaskFlow) -> WorkbenchPresenter[ImagePyramid]:
        return WorkbenchPresenter[ImagePyramid](
            session=self._session,
            flow=flow,
            database=self._workers.database,
            images=self.images,
            clock=self._clock,
            name_class=self._name,
        )

    def _connect(
        self, bench: WorkbenchPresenter[ImagePyramid], flow: TaskFlow, screen: WorkbenchScreen
    ) -> None:
        """Connect the task's own presenter and screen."""
        self._bench, self._flow, self._screen = bench, flow, screen
        bench.ask_about_other_window(self._ask_about_window)
        screen.stage_changed.connect(self._stage_changed)
        screen.clock_toggled.connect(self._toggle_clock)
        screen.hints_toggled.connect(self._toggle_hints)
        screen.layout_chosen.connect(lambda p: self._memory.remember_layout(self._code, p.value))
        screen.image.viewport_changed.connect(self.images.set_viewport)
        self._preferences.listen(self._apply_preferences)

    def _ask_about_window(self, take_over: Callable[[], None], look: Callable[[], None]) -> None:
        if not self._leaving:
            ask_about_window(self._appearance, self._window, take_over, look, self.home_wanted.emit)

    def _release(self) -> None:
        """Disconnect everything; running writes finish in the background."""
        self._bench.listen(lambda _view: None)
        self._preferences.stop_listening(self._apply_preferences)
        if self._window.screen_shown is not self._screen:
            self._window.discard(self._screen)
        self.deleteLater()

    def _stage_changed(self, stage: WorkbenchStage) -> None:
        if self._leaving:
            return
        if stage is WorkbenchStage.STOPPED:
            self.stopped.emit(self._bench.view.problem)
        else:
            self._at_stage(stage)

    def _apply_preferences(self, settings: UserPreferences) -> None:
        self._screen.show_clock(settings.clock_shown)
        self._screen.show_pace(settings.pace_shown)

    def _toggle_clock(self) -> None:
        settings = self._preferences.settings
        self._preferences.change(replace(settings, clock_shown=not settings.clock_shown))

    def _toggle_hints(self) -> None:
        settings = self._preferences.settings
        self._preferences.change(replace(settings, key_hints_shown=not settings.key_hints_shown))

    def _page_opened(self, slug: str) -> None:
        trial = self._bench.trial
        trial_id = trial.trial_id if trial else None
        self._workers.database.run(
            "record guide visit",
            lambda: self._session.visited_guide(
                slug, trial_id=trial_id, guide_version=self._study.guide_facts().version
            ),
            # A failure here is no reason to interrupt the reader.
            failed=ignore,
            urgent=False,
        )

    def _name(self, wnid: str) -> ChosenClass:
        row = self.tools.browser.row(wnid)
        return ChosenClass(wnid, row.name, row.path)
