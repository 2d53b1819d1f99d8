"""Work for the window's thread that can wait: a piece at a time, so that no one notices it."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal


class IdleQueue(QObject):
    """Takes a step each time the window has nothing else to do, and tells when all are taken."""

    finished = Signal()

    def __init__(self, *steps: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = deque(steps)
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._run_next)

    def start(self) -> None:
        """Begin, or go on; where nothing is left to do, that is reported again."""
        self._timer.start()

    def stop(self) -> None:
        """Take no further step."""
        self._timer.stop()

    def _run_next(self) -> None:
        if self._steps:
            self._timer.start()
            self._steps.popleft()()
            if self._timer.isActive():
                # Anew: whatever became due meanwhile comes before the next step.
                self._timer.start()
        else:
            self.finished.emit()
