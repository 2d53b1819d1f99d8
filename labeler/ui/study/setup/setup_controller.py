"""Controller of Set up: its screen, its presenter, and leaving it."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from labeler.app.confirmation import Confirmation
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import StudySetup
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.setup_screen import SetupScreen
from labeler.ui.window.context import StudyContext

STOP_AND_CLOSE = "Stop and close"


class SetupController(QObject):
    """Shows the screen; leaving it stops the current task, which can be resumed later."""

    home_wanted = Signal()
    models_wanted = Signal()
    near_duplicates_wanted = Signal()
    restore_wanted = Signal(str)

    def __init__(self, context: StudyContext) -> None:
        window = context.window
        super().__init__(window)
        self._window, self._appearance, self._clock = window, context.appearance, context.clock
        self._screen: SetupScreen | None = None
        self.presenter = SetupPresenter(
            StudySetup(context.study.store, context.code),
            database=context.workers.database,
            background=context.workers.background,
            clock=context.clock,
            describe_error=context.describe_error,
        )
        # A field that loses the focus while the window closes must not start anything.
        window.closing.connect(self.close)
        window.ask_before_closing(self._asks_before_closing)

    def show(self, step: SetupStep | None = None) -> None:
        """Show the screen at the given step, or at the next one to do."""
        screen = SetupScreen(self._appearance, self._window.keymap, self.presenter, self._clock)
        screen.home_wanted.connect(self.home_wanted)
        screen.models_wanted.connect(self.models_wanted)
        screen.near_duplicates_wanted.connect(self.near_duplicates_wanted)
        screen.restore_wanted.connect(self.restore_wanted)
        screen.destroyed.connect(self._forget)
        self._screen = screen
        if step is not None:
            screen.go_to(step)
        self._window.show_screen(screen)
        self.presenter.refresh()

    def leave(self, then: Callable[[], None], *, button_text: str = "") -> None:
        """Call `then`, after a confirmation if a task or changes would be lost."""
        asked = self.presenter.leave_confirmation
        if asked is not None:
            self._ask_to_stop(asked, then, button_text=button_text)
        elif self._screen is not None:
            self._screen.leave_step(then)
        else:
            then()

    def _ask_to_stop(
        self, asked: Confirmation, then: Callable[[], None], *, button_text: str
    ) -> None:
        dialog = ConfirmDialog(
            self._appearance,
            self._window,
            replace(asked, button_text=button_text or asked.button_text),
            back="Stay here",
            kind=ButtonKind.PRIMARY,
        )
        dialog.confirmed.connect(then)
        if self._screen is not None:
            # Once the task has ended there is nothing to stop, and the screen shows the result.
            self._screen.rested.connect(dialog.reject)
        dialog.open()

    def _asks_before_closing(self, then: Callable[[], None]) -> bool:
        unapplied = None if self._screen is None else self._screen.unapplied
        if self.presenter.leave_confirmation is None and unapplied is None:
            return False
        self.leave(then, button_text=STOP_AND_CLOSE)
        return True

    def _forget(self) -> None:
        self._screen = None
        self.close()

    def close(self) -> None:
        self.presenter.close()
