"""The lead's results in the window."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from labeler.app.presenters.results import ResultsPresenter
from labeler.ui.look import Look
from labeler.ui.main_window import MainWindow
from labeler.ui.screens.results import ResultsScreen
from labeler.ui.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy


class ResultsJourney(QObject):
    """Shows the results and asks where to export them."""

    home_wanted = Signal()

    def __init__(
        self,
        window: MainWindow,
        *,
        look: Look,
        study: "OpenedStudy",
        code: str,
        workers: Workers,
        told: Callable[[Exception], str],
    ) -> None:
        super().__init__(window)
        self._window, self._look = window, look
        self._study, self._code = study, code
        self._workers, self._told = workers, told

    def show(self) -> None:
        """Show the screen; it fills when the numbers are there."""
        presenter = ResultsPresenter(
            # The desk brings matplotlib along, so it is made where nobody waits for it.
            lambda: self._study.results(self._code),
            runner=self._workers.background,
            told=self._told,
        )
        screen = ResultsScreen(self._look, self._window.keymap, presenter)
        screen.home_wanted.connect(self.home_wanted)
        screen.export_wanted.connect(lambda: self._export(screen, presenter))
        screen.destroyed.connect(presenter.leave)
        self._window.show_screen(screen)
        presenter.open()

    def _export(self, screen: ResultsScreen, presenter: ResultsPresenter) -> None:
        folder = QFileDialog.getExistingDirectory(screen, "Write the report to a folder")
        if folder:
            presenter.export(Path(folder))
