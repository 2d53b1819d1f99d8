"""How long the window's event loop is held up at most while something is done."""

import os
import time
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

_TICK_MS = 1
# Where a line of /proc/stat has it, the line's name counted.
_STEAL = 8


class Gap(NamedTuple):
    """Seconds for which no event was served, and for how many of them the window's thread worked.

    For the rest it waited: for Python's lock, or for the processor, which others use too. `stolen`
    is what a virtual machine's host took from all of its processors meanwhile, for other guests.
    """

    passed: float
    worked: float
    stolen: float = 0


class Watchdog(QObject):
    """A timer that wants to be called every millisecond, and notes when it wasn't."""

    def __init__(self) -> None:
        super().__init__()
        self.begin()
        self._timer = QTimer(self, interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forget what was before."""
        self._longest, self._last = Gap(0, 0), _now()
        self._stolen = _stolen()

    def longest(self) -> Gap:
        """The longest gap since the beginning, the longest work in one, and all that was stolen."""
        self._tick()
        return self._longest._replace(stolen=_stolen() - self._stolen)

    def _tick(self) -> None:
        now, last = _now(), self._last
        passed = now.passed - last.passed
        worked = now.worked - last.worked
        longest = self._longest
        self._longest = Gap(max(longest.passed, passed), max(longest.worked, worked))
        self._last = now


def _now() -> Gap:
    return Gap(time.perf_counter(), time.thread_time())


def _stolen() -> float:
    """Seconds stolen since the machine's start; nothing where the system doesn't tell."""
    counted = Path("/proc/stat")
    if not counted.exists():
        return 0
    of_all = counted.read_text(encoding="ascii").splitlines()[0].split()
    return int(of_all[_STEAL]) / os.sysconf("SC_CLK_TCK")


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
