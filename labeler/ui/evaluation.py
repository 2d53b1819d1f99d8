"""One labeler's evaluation in the window: the workbench, and the page at its end."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from labeler.app.keymap import Keymap
from labeler.app.preferences import Preferences
from labeler.app.presenters.trial_images import TrialImages
from labeler.app.presenters.workbench import Workbench
from labeler.app.presenters.workbench_views import ChosenClass, Stage
from labeler.app.settings import Settings
from labeler.core.clock import Clock
from labeler.ui.class_tools import ClassTools
from labeler.ui.garbage import look_at_all_again, pass_over_what_is_there
from labeler.ui.look import Look
from labeler.ui.main_window import MainWindow
from labeler.ui.screens.workbench import WorkbenchScreen
from labeler.ui.trial_pixels import TrialPixels, prepare, refit
from labeler.ui.widgets.hint_bar import Hints
from labeler.ui.window_memory import WindowMemory
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy
    from labeler.ui.screens.finish import FinishScreen


class Evaluation(QObject):
    """Puts the presenter, the screen and the study together, and takes them apart again."""

    home_wanted = Signal()
    stopped = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        *,
        look: Look,
        keymap: Keymap,
        study: "OpenedStudy",
        code: str,
        preferences: Preferences,
        memory: WindowMemory,
        workers: Workers,
        clock: Clock,
    ) -> None:
        super().__init__(window)
        self._window, self._look = window, look
        self._preferences, self._memory = preferences, memory
        self._code = code
        self._leaving = False
        desk = study.desk(code)
        self.tools = ClassTools(
            look=look,
            keymap=keymap,
            study=study,
            workers=workers,
            memory=memory,
            page_opened=self._page_opened,
        )
        self.images = TrialImages[TrialPixels](
            fetch=desk.picture,
            prepare=prepare,
            refit=refit,
            runner=workers.decoding,
            clock=clock,
        )
        self.workbench = Workbench[TrialPixels](
            desk=desk,
            database=workers.database,
            images=self.images,
            clock=clock,
            name_class=self._name,
        )
        self._desk, self._workers, self._study = desk, workers, study
        self.screen = WorkbenchScreen(
            look=look, keymap=keymap, workbench=self.workbench, tools=self.tools
        )
        self._finish: FinishScreen | None = None
        self._connect()

    def start(self) -> None:
        """Show the workbench where this person left its docks, and begin the session."""
        self._follow(self._preferences.settings)
        self._window.show_screen(self.screen, hints=Hints.ANSWERING)
        self.screen.docks.arrange(self._memory.docks(self._code))
        self.screen.start()

    def leave(self, then: Callable[[], None]) -> None:
        """End the session; everything is kept as it is."""
        self._leaving = True
        self._memory.remember_docks(self._code, self.screen.docks.saved())
        self.screen.stop()
        self.workbench.leave(then)
        self.images.close()
        self._let_go()

    def _let_go(self) -> None:
        """Follow nothing any more: what is still being written comes to its end unseen."""
        look_at_all_again()
        self.workbench.listen(lambda _view: None)
        self._preferences.stop_listening(self._follow)
        if self._window.screen_shown is not self.screen:
            self._window.discard(self.screen)
        self.deleteLater()

    def _connect(self) -> None:
        self.tools.woken.connect(pass_over_what_is_there)
        self.screen.stage_changed.connect(self._stage_changed)
        self.screen.clock_toggled.connect(self._toggle_clock)
        self.screen.image.viewport_changed.connect(self.images.set_viewport)
        self._preferences.listen(self._follow)

    def _stage_changed(self, stage: Stage) -> None:
        if self._leaving:
            return
        if stage is Stage.FINISHED:
            self._show_finish()
        elif stage is Stage.LOCKED and self._finish is not None:
            self._finish.locked()
        elif stage is Stage.STOPPED:
            self.stopped.emit(self.workbench.view.trouble)
        elif self._finish is not None:
            self._finish = None
            self._window.show_screen(self.screen, hints=Hints.ANSWERING)

    def _show_finish(self) -> None:
        from labeler.app.presenters.finish import Finish
        from labeler.ui.screens.finish import FinishScreen

        finish = FinishScreen(self._look, Finish(self.workbench.trials))
        finish.go_back_wanted.connect(self.workbench.go_to)
        finish.lock_wanted.connect(lambda: self.workbench.lock(failed=finish.failed))
        finish.home_wanted.connect(self.home_wanted)
        self._finish = finish
        self._window.show_screen(finish, keep=self.screen)

    def _follow(self, settings: Settings) -> None:
        self.screen.show_clock(settings.clock_shown)
        self.screen.show_pace(settings.pace_shown)

    def _toggle_clock(self) -> None:
        settings = self._preferences.settings
        self._preferences.change(replace(settings, clock_shown=not settings.clock_shown))

    def _page_opened(self, slug: str) -> None:
        trial = self.workbench.trial
        trial_id = trial.trial_id if trial else None
        self._workers.database.submit(
            lambda _job: self._desk.visited_guide(
                slug, trial_id=trial_id, guide_version=self._study.guide_facts().version
            ),
            done=_ignore,
            # A page that was read and not noted is no reason to disturb the reader.
            failed=_ignore,
            urgent=False,
        )

    def _name(self, wnid: str) -> ChosenClass:
        row = self.tools.browser.row(wnid)
        return ChosenClass(wnid, row.name, row.path)


def _ignore(_answer: object) -> None:
    """Nobody waits for it."""
