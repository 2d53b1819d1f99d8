"""Python's look for garbage, kept on the window's thread.

Python looks on whatever thread happens to make the next object, and destroys what it finds there.
A widget that nobody needs any more would so be destroyed while the window walks through all its
widgets, to dress them in another theme, say: then the program crashes. Between two events no such
walk is on.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

from labeler.ui.window.gc_policy import COLLECTION_THRESHOLD

# Nobody who waits for the first image waits for garbage too.
_FIRST_COLLECTION_MS, _COLLECTION_INTERVAL_MS = 2_000, 200


@contextmanager
def collection_on_gui_thread() -> Iterator[None]:
    """Look for garbage in this thread's event loop, and nowhere else."""
    before = gc.get_threshold()
    gc.set_threshold(0, *before[1:])  # never of its own accord; it goes on counting
    timer = QTimer()
    timer.timeout.connect(_collect_if_due)
    timer.timeout.connect(lambda: timer.setInterval(_COLLECTION_INTERVAL_MS))
    timer.start(_FIRST_COLLECTION_MS)
    try:
        yield
    finally:
        timer.stop()
        gc.set_threshold(*before)


def _collect_if_due() -> None:
    """Look as far as Python itself would: seldom through what is old, unless nobody may look."""
    young, middle, old = gc.get_count()
    if young > COLLECTION_THRESHOLD and gc.isenabled():
        _, many_middle, many_old = gc.get_threshold()
        gc.collect(0 if middle <= many_middle else 1 if old <= many_old else 2)
