"""The real program with a reviewer at its keyboard: started in a process of its own, to be killed.

    python -m tests.e2e.driven_reviewer STUDY CODE SEED

Verdicts are given by keys, by image and by class, some to several images at once, some taken back.
Each act is reported before its key is pressed, and what is stored is reported when the program
knows it.
"""

import random
import sys

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.review.views import ReviewStage
from labeler.cli import main
from labeler.core.study.entities import Role
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.by_image_screen import ReviewByImageScreen
from labeler.ui.review.review_controller import ReviewController
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.navigation import Navigation
from tests.e2e.driven_hands import Hands, Steps, tell

Given = list[tuple[str, str, str | None]]

_VERDICTS = {Qt.Key.Key_1: "correct", Qt.Key.Key_2: "wrong", Qt.Key.Key_3: "unclear"}
_HASTE_MS = (0, 0, 0, 2, 5, 20)
_NONE = Qt.KeyboardModifier.NoModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class HastyReviewer:
    """Decides what to press, from a seed, and tells what came of it."""

    def __init__(self, code: str, *, seed: int) -> None:
        self._code = code
        self._draw = random.Random(seed)
        self._acts = 0

    def work(self) -> Steps:
        yield from self._sign_in()
        yield lambda: self._review().session_presenter.is_complete
        order = self._review().session_presenter.order
        tell("seated", done=order.done, left=order.left)
        while True:
            yield from self._act()
            if self._draw.random() < 0.6:
                yield from self._wait_for_storing()
            yield self._draw.choice(_HASTE_MS)

    def _sign_in(self) -> Steps:
        yield lambda: isinstance(self._screen, SignInScreen) and _has_focus()
        screen = self._screen
        assert isinstance(screen, SignInScreen)
        screen.code.selectAll()
        QTest.keyClicks(screen.code, self._code)
        screen.roles[Role.REVIEWER].click()
        self._press(Qt.Key.Key_Return)
        yield lambda: isinstance(self._screen, HomeScreen) and _has_focus()
        self._press(Qt.Key.Key_Return)
        yield self._is_judging

    # One act.

    def _act(self) -> Steps:
        presenter = self._review().session_presenter
        if self._draw.random() < 0.15 and self._is_judging():
            before = self._screen
            self._press(Qt.Key.Key_B, _CTRL)
            # It is shown before it is started, and what is pressed then isn't heard.
            yield lambda: self._screen is not before and self._is_judging()
        elif presenter.can_undo and self._draw.random() < 0.15:
            last = presenter._acts[-1]
            yield from self._press_told(
                Qt.Key.Key_Z,
                [(j.visit_id, j.wnid, j.before.verdict if j.before else None) for j in last],
                _CTRL,
            )
        elif isinstance(self._screen, ReviewByClassScreen):
            yield from self._judge_tiles(self._screen)
        elif isinstance(self._screen, ReviewByImageScreen):
            yield from self._judge_label(self._screen)

    def _judge_label(self, screen: ReviewByImageScreen) -> Steps:
        view = screen._view
        if view.visit_id is None or view.focused_wnid is None:
            tell("finished")
            yield lambda: False
        if view.proposed and all(label.own is not None for label in view.labels):
            # A verdict key would be refused: it might be meant for the suggestion.
            self._press(Qt.Key.Key_F8)
            yield 0
            return
        key = self._draw.choice([*_VERDICTS])
        yield from self._press_told(
            key, [(str(view.visit_id), str(view.focused_wnid), _VERDICTS[key])]
        )

    def _judge_tiles(self, screen: ReviewByClassScreen) -> Steps:
        if not screen._view.left:
            self._press(Qt.Key.Key_Return)
            yield self._has_come_back
            return
        for _further in range(self._draw.choice((0, 0, 1, 3))):
            self._press(Qt.Key.Key_Right, _SHIFT)
        key = self._draw.choice([*_VERDICTS])
        tiles, wnid = screen._view.tiles, str(screen._view.wnid)
        chosen = [tiles[place].visit_id for place in screen.grid.selected]
        yield from self._press_told(key, [(visit, wnid, _VERDICTS[key]) for visit in chosen])

    def _press_told(self, key: Qt.Key, given: Given, held: Qt.KeyboardModifier = _NONE) -> Steps:
        self._acts += 1
        order = self._review().session_presenter.order
        tell(
            "judging", act=self._acts, given=[(order.owner(v, w), w, what) for v, w, what in given]
        )
        self._press(key, held)
        yield 0

    def _wait_for_storing(self) -> Steps:
        storing = self._review().session_presenter.storing
        yield lambda: not storing.waits or bool(storing.trouble)
        if storing.waits:
            tell("delayed", sentence=storing.trouble)
            yield lambda: not storing.waits
        tell("acknowledged", act=self._acts)

    # The window.

    def _press(self, key: Qt.Key, held: Qt.KeyboardModifier = _NONE) -> None:
        QTest.keyClick(self._window().windowHandle(), key, held)

    def _has_come_back(self) -> bool:
        """Without a window manager, no one gives a window the keyboard back that lost it."""
        if not _has_focus():
            self._window().activateWindow()
        return _has_focus()

    def _is_judging(self) -> bool:
        """Whether a way of judging is on the screen and takes verdicts."""
        screen = self._screen
        if not isinstance(screen, ReviewByImageScreen | ReviewByClassScreen):
            return False
        return screen._view.stage is ReviewStage.JUDGING and self._has_come_back()

    @property
    def _screen(self) -> QWidget | None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
        return windows[0].screen_shown if windows and windows[0].isVisible() else None

    def _window(self) -> MainWindow:
        return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

    def _review(self) -> ReviewController:
        shell = self._window().findChild(Navigation)
        assert isinstance(shell, Navigation)
        assert isinstance(shell.task, ReviewController)
        return shell.task


def _has_focus() -> bool:
    return QApplication.focusWidget() is not None


if __name__ == "__main__":
    study, code, seed = sys.argv[1:]
    application = QApplication(["labeler"])
    hands = Hands(HastyReviewer(code, seed=int(seed)).work())
    sys.exit(main([study]))
