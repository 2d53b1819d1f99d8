"""The lead's look at the reviewers in the window."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from labeler.app.review.reviewers import Reviewers
from labeler.ui.review.reviewers_screen import ReviewersScreen
from labeler.ui.window.look import Appearance
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.ui_workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy

_FILE = "probabilities.csv"


class ReviewersController(QObject):
    """Shows the screen, and asks where probabilities are to be written."""

    home_wanted = Signal()

    def __init__(
        self,
        window: MainWindow,
        *,
        look: Appearance,
        study: "OpenedStudy",
        workers: Workers,
        told: Callable[[Exception], str],
    ) -> None:
        super().__init__(window)
        self._window, self._look = window, look
        self._presenter = Reviewers(study.lead_review(), runner=workers.background, told=told)

    def show(self) -> None:
        """Show the screen; it fills when the figures are there."""
        screen = ReviewersScreen(self._look, self._window.keymap, self._presenter)
        screen.home_wanted.connect(self.home_wanted)
        screen.file_wanted.connect(lambda: self._ask_for_file(screen))
        screen.destroyed.connect(self._presenter.close)
        self._window.show_screen(screen)
        self._presenter.open()

    def _ask_for_file(self, screen: ReviewersScreen) -> None:
        file, _kind = QFileDialog.getSaveFileName(
            screen, "Write the probabilities to a file", _FILE, "CSV (*.csv)"
        )
        if file:
            self._presenter.resolve(Path(file))
