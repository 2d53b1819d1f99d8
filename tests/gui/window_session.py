"""A person at the real window: keys go wherever the focus is, and what they did is waited for."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.home_cards import HomeCardKind
from labeler.core.labeling.trial import TrialState
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.classes.class_view_panel import ClassViewPanel
from labeler.ui.classes.classes_screen import ClassesScreen
from labeler.ui.kit.input.search_field import SearchField
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.labeling.evaluation_task import EvaluationTask
from labeler.ui.labeling.finish_screen import FinishScreen
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.application import BuiltWindow
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.study_navigation import StudyNavigation
from labeler.ui.window.workers import QtRunner, Workers
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import SmallStudy

CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


@dataclass(frozen=True)
class WindowSession:
    """One window with the person before it, the clock that obeys, and the study behind it."""

    opened: BuiltWindow
    qtbot: QtBot
    clock: AdjustableClock
    study: SmallStudy
    workers: Workers

    # What is there.

    @property
    def window(self) -> MainWindow:
        return self.opened.window

    @property
    def navigation(self) -> StudyNavigation:
        """The screens of the person who has signed in."""
        signed_in = self.opened.navigation.signed_in
        assert signed_in is not None
        return signed_in

    @property
    def evaluation(self) -> EvaluationTask:
        evaluation = self.opened.navigation.task
        assert isinstance(evaluation, EvaluationTask)
        return evaluation

    @property
    def screen(self) -> WorkbenchScreen:
        return self.evaluation.screen

    @property
    def workbench(self) -> WorkbenchPresenter[ImagePyramid]:
        return self.evaluation.workbench

    @property
    def tools(self) -> ClassTools:
        shown = self.window.screen_shown
        return shown.tools if isinstance(shown, ClassesScreen) else self.evaluation.tools

    @property
    def sights(self) -> ClassViewPanel:
        return self.tools.class_view

    @property
    def field(self) -> SearchField:
        return self.tools.finder.field

    @property
    def position(self) -> int | None:
        trial = self.workbench.view.trial
        return trial.position if trial else None

    @property
    def in_focus(self) -> str | None:
        """The class that the tools show."""
        return self.tools.browser.view.wnid

    @property
    def chosen(self) -> str | None:
        label = self.workbench.view.answer.label
        return label.wnid if label else None

    def texts(self) -> list[str]:
        """Every text in sight."""
        widgets = self.window.findChildren(QLabel) + self.window.findChildren(QAbstractButton)
        return [widget.text() for widget in widgets if widget.isVisible() and widget.text()]

    def dialog(self, kind: type[QDialog]) -> QDialog:
        return next(d for d in self.window.findChildren(kind) if d.isVisible())

    # What the person does.

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN, *, times: int = 1) -> None:
        for _ in range(times):
            self.qtbot.keyClick(_focused(), key, modifiers)

    def type_in(self, text: str) -> None:
        # One by one: the first may take the focus elsewhere.
        for character in text:
            self.qtbot.keyClick(_focused(), character)

    def hold(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN, *, repeats: int = 8
    ) -> None:
        """Hold a key down: one press, and the system's repeats of it."""
        text = "\r" if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else ""
        QTest.simulateEvent(_focused(), True, int(key), modifiers, text, False)
        for _ in range(repeats):
            self.repeat(key, modifiers)
        QTest.simulateEvent(_focused(), False, int(key), modifiers, text, False)

    def repeat(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        text = "\r" if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else ""
        QTest.simulateEvent(_focused(), True, int(key), modifiers, text, True)

    def click(self, widget: QWidget, where: QRect | QPoint | None = None) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        # No one clicks what isn't laid out yet: its middle is elsewhere a moment later.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        place = where.center() if isinstance(where, QRect) else where or widget.rect().center()
        self.qtbot.mouseClick(widget, LEFT, pos=place)

    def double_click(self, widget: QWidget, where: QRect | None = None) -> None:
        """The four events that a system sends."""
        place = (where or widget.rect()).center()
        self.qtbot.mouseClick(widget, LEFT, pos=place)
        self.qtbot.mouseDClick(widget, LEFT, pos=place)

    def choose(self, name: str) -> None:
        """Choose a class by its name, with the keyboard."""
        self.press(Qt.Key.Key_F, CONTROL)
        self.press(Qt.Key.Key_Escape)
        self.type_in(name)
        self.press(Qt.Key.Key_Return)

    def answer(self, name: str) -> None:
        """Answer the current trial, and wait for the next."""
        before = self.position
        assert before is not None
        self.choose(name)
        self.press(Qt.Key.Key_Return)
        self.wait(lambda: self.position != before)
        self.wait_until_settled()

    def come_back(self) -> None:
        """Have the window in front; the screenless platform forgets it after a menu."""
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)

    # Waiting.

    def wait(self, condition: Callable[[], bool]) -> None:
        # Longer than anything may take on a busy machine: no one waits for it but a failing test.
        self.qtbot.waitUntil(condition, timeout=10_000)

    def wait_for(self, kind: type[QWidget]) -> QWidget:
        """Wait for a screen."""
        self.wait(lambda: isinstance(self.window.screen_shown, kind))
        assert self.window.screen_shown is not None
        return self.window.screen_shown

    def start_screen(self) -> StartScreen:
        screen = self.wait_for(StartScreen)
        assert isinstance(screen, StartScreen)
        return screen

    def sign_in_screen(self) -> SignInScreen:
        screen = self.wait_for(SignInScreen)
        assert isinstance(screen, SignInScreen)
        return screen

    def home(self) -> HomeScreen:
        screen = self.wait_for(HomeScreen)
        assert isinstance(screen, HomeScreen)
        return screen

    def finish_screen(self) -> FinishScreen:
        screen = self.wait_for(FinishScreen)
        assert isinstance(screen, FinishScreen)
        return screen

    def wait_for_trial(self, position: int | None = None) -> None:
        """Wait until a trial's image is on the screen."""
        self.wait_for(WorkbenchScreen)
        self.wait(lambda: position in (None, self.position))
        self.wait_until_settled()

    def wait_until_settled(self) -> None:
        """Wait until an image is painted and classes listed, or the task has come to its end."""
        self.wait(self._is_settled)

    def _is_settled(self) -> bool:
        trial = self.workbench.trial
        at_trial = self.workbench.view.stage is WorkbenchStage.TRIAL and trial is not None
        if at_trial and trial.state is not TrialState.WAITING:
            return self.evaluation.tools.is_activated
        return self.workbench.view.stage is WorkbenchStage.FINISHED

    def wait_until_written(self) -> None:
        """Wait until the database's worker has done all that it was asked for."""
        self._wait_for_worker(self.workers.database)

    def wait_until_read(self) -> None:
        """Wait for all that is read elsewhere, and for what is asked for when it arrives."""
        for worker in (self.workers.background, self.workers.decoding):
            for _twice in range(2):
                self._wait_for_worker(worker)

    def _wait_for_worker(self, worker: QtRunner) -> None:
        done: list[bool] = []
        worker.run(
            "test",
            lambda: None,
            done=lambda _nothing: done.append(True),
            failed=_fail,
            urgent=False,
        )
        self.wait(lambda: bool(done))

    # Ways.

    def sign_in(self, code: str = "A") -> HomeScreen:
        screen = self.sign_in_screen()
        screen.code.selectAll()
        self.type_in(code)
        self.press(Qt.Key.Key_Return)
        return self.home()

    def begin(self) -> None:
        """From home to the first trial, past the rules where they are shown."""
        button = self.home().cards[HomeCardKind.EVALUATE].button
        assert button is not None
        self.click(button)
        self.wait(lambda: not isinstance(self.window.screen_shown, HomeScreen))
        if isinstance(self.window.screen_shown, RulesScreen):
            self.press(Qt.Key.Key_Return)
        self.wait_for_trial()


def _focused() -> QWidget:
    """What a system would send a key to: an open menu, or else what has the focus."""
    widget = QApplication.activePopupWidget() or QApplication.focusWidget()
    assert widget is not None, "something has the keyboard"
    return widget


def _fail(error: Exception) -> None:
    raise AssertionError(error)
