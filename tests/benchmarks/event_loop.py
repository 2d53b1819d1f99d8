"""How long the window's event loop is held up at most while something is done."""

import time

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

_TICK_MS = 1


class Watchdog(QObject):
    """A timer that wants to be called every millisecond, and notes when it wasn't."""

    def __init__(self) -> None:
        super().__init__()
        self._longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forget what was before."""
        self._longest, self._last = 0.0, time.perf_counter()

    def longest(self) -> float:
        """The longest time, in seconds, for which no event was served since the beginning."""
        return max(self._longest, time.perf_counter() - self._last)

    def _tick(self) -> None:
        now = time.perf_counter()
        self._longest, self._last = max(self._longest, now - self._last), now


def serve_for(milliseconds: int) -> None:
    """Let the window do what it has to, as while a person looks."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
