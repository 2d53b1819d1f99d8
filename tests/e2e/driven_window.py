"""The program's window as someone at the keyboard has it: keys go in, what it shows comes out."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.ui.labeling.evaluation_task import EvaluationTask
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.navigation import Navigation


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """The answer as far as it has come."""

    label: str | None = None
    alternative: str | None = None
    note: str = ""


class DrivenWindow:
    """Looks for the window again each time, since it comes and goes as the program likes."""

    @property
    def screen(self) -> QWidget | None:
        window = self._window()
        return window.screen_shown if window else None

    @property
    def wants_return(self) -> bool:
        """Whether a page is shown that is left by Return."""
        is_page = isinstance(self.screen, HomeScreen | RulesScreen)
        return is_page and QApplication.focusWidget() is not None

    @property
    def at_the_end(self) -> bool:
        return isinstance(self.screen, FinishScreen)

    @property
    def trial(self) -> str | None:
        """The trial whose image is on the screen and can be answered."""
        evaluation = self._evaluation()
        if evaluation is None or evaluation.workbench.view.stage is not WorkbenchStage.TRIAL:
            return None
        trial = evaluation.workbench.trial
        return trial.trial_id if trial is not None and trial.is_shown else None

    @property
    def answer(self) -> ShownAnswer:
        shown = self.evaluation.workbench.view.answer
        return ShownAnswer(
            label=shown.label.wnid if shown.label else None,
            alternative=shown.alternative.wnid if shown.alternative else None,
            note=shown.note,
        )

    @property
    def has_escape_hatch(self) -> bool:
        return self.evaluation.workbench.view.answer.escape_hatch

    @property
    def shortlist(self) -> tuple[str, ...]:
        return self.evaluation.tools.shortlisted

    @property
    def active_ms(self) -> int:
        """The active time on the trial, as the clock tells it."""
        return self.evaluation.workbench.clock().trial_ms

    @property
    def problem(self) -> str:
        """Why the answer isn't stored; empty unless that is so."""
        view = self.evaluation.workbench.view
        return view.problem if view.stage is WorkbenchStage.NOT_STORED else ""

    @property
    def evaluation(self) -> EvaluationTask:
        evaluation = self._evaluation()
        assert evaluation is not None, "nobody sits at the workbench"
        return evaluation

    def is_past(self, trial: str) -> bool:
        """Whether another image is on the screen by now, or the task's end."""
        return self.at_the_end or self.trial not in (None, trial)

    def press(self, key: Qt.Key, *, ctrl: bool = False) -> None:
        """Press a key as the system would tell of it; the window knows where it goes."""
        modifier = Qt.KeyboardModifier
        window = self._window()
        assert window is not None, "there is no window to press a key in"
        held = modifier.ControlModifier if ctrl else modifier.NoModifier
        QTest.keyClick(window.windowHandle(), key, held)

    def _evaluation(self) -> EvaluationTask | None:
        window = self._window()
        shell = window.findChild(Navigation) if window else None
        task = shell.task if isinstance(shell, Navigation) else None
        return task if isinstance(task, EvaluationTask) else None

    def _window(self) -> MainWindow | None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
        return next((window for window in windows if window.isVisible()), None)
