"""Open the Models screen; scoring continues when the screen is closed."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from labeler.app.models.model_list import ModelList
from labeler.app.models.model_scoring import ModelScoring
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.models.add_model_dialog import AddModelDialog
from labeler.ui.models.models_screen import ModelsScreen
from labeler.ui.models.scoring_options_dialog import ScoringOptionsDialog
from labeler.ui.window.context import StudyContext


class ModelsController(QObject):
    """Holds the presenter of one study and lead, and shows its screen."""

    home_wanted = Signal()
    set_up_wanted = Signal()

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._window, self._appearance = context.window, context.appearance
        self._shown = 0
        self.presenter = ModelList(
            ModelScoring(context.study.store, context.code),
            database=context.workers.database,
            background=context.workers.background,
            scoring=context.workers.scoring,
            clock=context.clock,
            describe_error=context.describe_error,
        )

    def show(self) -> None:
        """Show the Models screen."""
        screen = ModelsScreen(self._appearance, self._window.keymap, self.presenter)
        screen.add_wanted.connect(lambda: self._ask(screen))
        screen.testbed_wanted.connect(lambda: self._ask_testbed(screen))
        screen.how_wanted.connect(lambda: self._ask_how(screen))
        screen.home_wanted.connect(self.home_wanted)
        screen.set_up_wanted.connect(self.set_up_wanted)
        self._shown += 1
        number = self._shown
        screen.destroyed.connect(lambda: self._has_gone(number))
        self._window.show_screen(screen)
        self.presenter.open()

    def close(self) -> None:
        """Stop the current scoring, which can be resumed later."""
        self.presenter.close()

    def _has_gone(self, number: int) -> None:
        # The previous screen is closed when the new one is already listening.
        if number == self._shown:
            self.presenter.unlisten()

    def _ask(self, screen: ModelsScreen) -> None:
        dialog = AddModelDialog(
            self._appearance,
            self._window.keymap,
            self.presenter.finder,
            screen,
            why_not=self.presenter.why_not_add,
        )
        dialog.wanted.connect(lambda specs: self.presenter.add(*specs))
        dialog.open()

    def _ask_testbed(self, screen: ModelsScreen) -> None:
        asked = open_file_dialog(screen, "Choose a testbed file", names="Testbeds (*.toml)")
        asked.fileSelected.connect(lambda file: self.presenter.add_testbed(Path(file)))
        asked.open()

    def _ask_how(self, screen: ModelsScreen) -> None:
        presenter = self.presenter
        dialog = ScoringOptionsDialog(self._appearance, presenter.how, presenter.datasets, screen)
        dialog.wanted.connect(presenter.choose_how)
        dialog.open()
