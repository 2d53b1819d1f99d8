"""Keeps Python's garbage collector off the worker threads."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_INTERVAL_MS = 1_000


@contextmanager
def collection_on_gui_thread() -> Iterator[None]:
    """Collect garbage in this thread's event loop and nowhere else.

    Python collects on the thread that happens to allocate, and PySide6 destroys a widget on the
    thread that collects it. On a worker thread this crashes the program if the GUI thread uses its
    widgets at that moment. Automatic collection is therefore off, and a timer collects instead.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    timer = QTimer(interval=_INTERVAL_MS)
    timer.timeout.connect(_collect_if_due)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        if was_enabled:
            gc.enable()


def exempt_loaded_objects() -> None:
    """Leave everything that exists now out of collections, until `collect_everything_again`.

    The index of 21,841 classes is millions of objects: to look through it takes most of a second.
    """
    gc.freeze()


def collect_everything_again() -> None:
    """Collect what was left out too, since what it belonged to was closed."""
    gc.unfreeze()


def _collect_if_due() -> None:
    """Collect the oldest generation that has reached its threshold, as Python would."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return
