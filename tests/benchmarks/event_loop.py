"""How long the window's event loop is held up at most while something is done."""

import time
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

_TICK_MS = 1


class Gap(NamedTuple):
    """Seconds for which no event was served, and how many of them the program itself worked.

    The rest of the time other programs had the processor, which they take on any machine.
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
        """The longest gap since the beginning, and the longest that was the program's own."""
        self._tick()
        return self._longest

    def _tick(self) -> None:
        now, last = _now(), self._last
        passed = now.passed - last.passed
        # All threads count, since one that holds Python's lock holds the window up too.
        worked = min(passed, now.worked - last.worked)
        longest = self._longest
        self._longest = Gap(max(longest.passed, passed), max(longest.worked, worked))
        self._last = now


def _now() -> Gap:
    return Gap(time.perf_counter(), time.process_time())


def serve_for(milliseconds: int) -> None:
    """Let the window do what it has to, as while a person looks."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
