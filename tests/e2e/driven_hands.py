"""Hands next to the program, in its own process: they press keys, and tell what they did."""

import json
import os
import traceback
from collections.abc import Callable, Generator
from itertools import count

from PySide6.QtCore import QObject, QTimer

_STEP_MS = 2
# Names a folder on a recording file system, which notes when each fact was reported.
MARKS_VARIABLE = "LABELER_TESTS_MARKS"
_marks = count()

# What the hands wait for between two steps: so many milliseconds, or that something is so.
Wait = int | Callable[[], bool]
Steps = Generator[Wait, None, None]


class Hands(QObject):
    """Does one step after the other next to the program, as soon as what it waits for is so."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps
        self._wait: Wait = 0
        self._at_work = False
        self._timer = QTimer(self, interval=_STEP_MS)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    def _go_on(self) -> None:
        # Pressing a key lets other events through, this timer's among them.
        if self._at_work or not self._is_so():
            return
        self._at_work = True
        try:
            self._wait = next(self._steps)
        except Exception:
            # The program would take it for an incident of its own, and go on.
            traceback.print_exc()
            os._exit(1)
        self._at_work = False

    def _is_so(self) -> bool:
        if callable(self._wait):
            return self._wait()
        self._wait -= _STEP_MS
        return self._wait <= 0


def tell(event: str, **facts: object) -> None:
    """Tell a fact, in one write, so that a kill leaves no half of it."""
    if folder := os.environ.get(MARKS_VARIABLE):
        os.path.exists(f"{folder}/.mark-{next(_marks)}")  # noqa: PTH110  (the question is noted)
    line = json.dumps({"event": event, **facts})
    os.write(1, line.encode() + b"\n")
