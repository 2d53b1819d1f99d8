"""How long one thread may keep the others waiting for Python.

Python lets a busy thread run for five milliseconds before another gets its turn. The window's
thread asks for a turn after nearly every call into Qt, so that a worker that searches or decodes
could hold one repainting up for a tenth of a second. Shorter turns cost the worker next to nothing.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_SWITCH_INTERVAL_SECONDS = 0.000_5
# While the program starts all threads work towards the same image: it comes later by a fourteenth
# if they interrupt each other.
_STARTUP_MS = 1_000


@contextmanager
def short_switch_interval(*, after_ms: int = _STARTUP_MS) -> Iterator[None]:
    """Let threads take short turns while a window is open, once it has started."""
    before = sys.getswitchinterval()
    timer = QTimer(singleShot=True, interval=after_ms)
    timer.timeout.connect(lambda: sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS))
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        sys.setswitchinterval(before)
