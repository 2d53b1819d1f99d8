"""The real window over a study of its own, with hands at its keyboard."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.keymap import load_keymap
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.demo.support import demo_support
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.labeling.evaluation_task import EvaluationTask
from labeler.ui.window.application import BuiltWindow, build_window
from labeler.ui.window.gc_policy import collection_on_gui_thread
from labeler.ui.window.navigation import LaunchRequest
from tests.benchmarks.demo_study import CODE, labelers_home

_SIZE = (1280, 800)
_AT_MOST_MS = 20_000


class LabelerAtWork:
    """Presses keys and comes back when what they cause has been painted."""

    def __init__(self, opened: BuiltWindow) -> None:
        self._opened = opened

    @property
    def evaluation(self) -> EvaluationTask:
        evaluation = self._opened.navigation.task
        assert isinstance(evaluation, EvaluationTask)
        return evaluation

    @property
    def tools(self) -> ClassTools:
        return self.evaluation.tools

    @property
    def trial(self) -> str | None:
        """The trial whose image has been painted."""
        trial = self.evaluation.workbench.trial
        shown = trial is not None and trial.is_shown
        at_trial = self.evaluation.workbench.view.stage is WorkbenchStage.TRIAL
        return trial.trial_id if trial is not None and shown and at_trial else None

    @property
    def is_ready(self) -> bool:
        """Whether the first image is there and the classes can be found."""
        at_work = self._opened.navigation.task is not None
        return at_work and self.trial is not None and self.tools.is_activated

    @property
    def position(self) -> int | None:
        trial = self.evaluation.workbench.view.trial
        return trial.position if trial else None

    def press(self, key: Qt.Key, *, ctrl: bool = False) -> None:
        modifier = Qt.KeyboardModifier
        held = modifier.ControlModifier if ctrl else modifier.NoModifier
        QTest.keyClick(self._opened.window.windowHandle(), key, held)

    def type(self, text: str) -> None:
        for letter in text:
            self.press(Qt.Key(ord(letter.upper())))

    def choose(self, name: str) -> None:
        """Find a class by its name and choose it."""
        self.press(Qt.Key.Key_F, ctrl=True)
        self.press(Qt.Key.Key_A, ctrl=True)
        self.type(name)
        self.press(Qt.Key.Key_Return)

    def submit(self) -> None:
        """Submit, and come back when the next image has been painted."""
        before = self.trial
        self.press(Qt.Key.Key_Return, ctrl=True)
        serve_until(lambda: self.trial not in (None, before))


class Painted(QObject):
    """Notes when a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: ARG002, N802
        self.times += event.type() is QEvent.Type.Paint
        return False


def serve_until(condition: Callable[[], bool]) -> None:
    """Serve events, as the program's own loop does, until it is so."""
    given_up = QTimer(singleShot=True, interval=_AT_MOST_MS)
    given_up.start()
    while not condition():
        assert given_up.isActive(), "the window hangs"
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def look_at_class(labeler: LabelerAtWork, wnid: str) -> None:
    """Go to a class and come back when its references have been painted."""
    grid = labeler.tools.class_view.panel.grid
    painted = Painted(grid.viewport())
    labeler.tools.class_view.walked.emit(wnid)
    serve_until(lambda: bool(grid.tiles) and painted.times > 0)


@contextmanager
def labeler_at_work(study: Path, *, size: tuple[int, int] = _SIZE) -> Iterator[LabelerAtWork]:
    """Sit down at the study and wait for the first trial."""
    with window_over(study, size=size) as opened:
        opened.navigation.start(LaunchRequest(study=study, code=CODE))
        labeler = LabelerAtWork(opened)
        serve_until(lambda: labeler.is_ready)
        yield labeler


@contextmanager
def window_over(study: Path, *, size: tuple[int, int] = _SIZE) -> Iterator[BuiltWindow]:
    """The window before anything is opened, with a home whose labeler knows the study's rules."""
    application = QApplication.instance() or QApplication(["labeler"])
    assert isinstance(application, QApplication)
    with (
        tempfile.TemporaryDirectory() as home,
        patch.dict(os.environ, labelers_home(Path(home), study)),
        collection_on_gui_thread(),
    ):
        settings = QSettings(str(Path(home, "window.ini")), QSettings.Format.IniFormat)
        opened = build_window(
            application, keymap=load_keymap(), settings=settings, demo=demo_support()
        )
        opened.window.resize(*size)
        opened.window.show()
        try:
            yield opened
        finally:
            opened.close()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            # Or they would be written when their folder is gone, and make it again.
            settings.sync()
