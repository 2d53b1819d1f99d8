"""How long the window's event loop is held up at most while something is done."""

import time
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

_TICK_MS = 1


class Gap(NamedTuple):
    """Seconds for which no event was served, and for how many of them the window's thread worked.

    For the rest it waited: for Python's lock, or for the processor, which others use too.
    """

    passed: float
    worked: float


class Watchdog(QObject):
    """A timer that wants to be called every millisecond, and notes when it wasn't."""

    def __init__(self) -> None:
        super().__init__()
        self._longest = Gap(0, 0)
        self._last = _now()
        self._timer = QTimer(self, interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forget what was before."""
        self._longest, self._last = Gap(0, 0), _now()

    def longest(self) -> Gap:
        """The longest gap since the beginning, and the longest work in one."""
        self._tick()
        return self._longest

    def _tick(self) -> None:
        now, last = _now(), self._last
        passed = now.passed - last.passed
        worked = now.worked - last.worked
        longest = self._longest
        self._longest = Gap(max(longest.passed, passed), max(longest.worked, worked))
        self._last = now


def _now() -> Gap:
    return Gap(time.perf_counter(), time.thread_time())


def plain_work(seconds: float) -> float:
    """How long it takes to compute for so long, on a machine that does other things too."""
    begun = _now()
    while _now().worked - begun.worked < seconds:
        pass
    return _now().passed - begun.passed


def serve_for(milliseconds: int) -> None:
    """Let the window do what it has to, as while a person looks."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
