"""Builds a screen step by step, so that the window keeps responding."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal


class IdleQueue(QObject):
    """Runs a step each time the event loop is idle; `finished` after the last one."""

    finished = Signal()

    def __init__(self, *steps: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = deque(steps)
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._run_next)

    def start(self) -> None:
        """Start or continue; `finished` is emitted again if no step is left."""
        self._timer.start()

    def stop(self) -> None:
        """Run no further step."""
        self._timer.stop()

    def _run_next(self) -> None:
        if self._steps:
            self._timer.start()
            self._steps.popleft()()
            if self._timer.isActive():
                # Restarted, so that events that arrived meanwhile come before the next step.
                self._timer.start()
        else:
            self.finished.emit()
