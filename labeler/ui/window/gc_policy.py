"""When Python looks for objects that no one needs any more: never where a person would notice.

It looks after each so many new objects, now and then through all there are: while the window starts
that takes a tenth of the time, and later it would hold the window up for as long as a blink.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

# A start makes many times as many, nearly all of which stay.
COLLECTION_THRESHOLD = 25_000


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for garbage after many new objects only."""
    before = gc.get_threshold()
    gc.set_threshold(COLLECTION_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Don't look at all while much is made that stays; afterwards pass that over."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


def freeze_objects() -> None:
    """Look through what is made from now on only: the rest is needed as long as someone works."""
    gc.freeze()


def unfreeze_objects() -> None:
    """Look through everything, now that no one works any more."""
    gc.unfreeze()


# No one who waits for the first image waits for garbage too.
_FIRST_COLLECTION_MS, _COLLECTION_INTERVAL_MS = 2_000, 200


@contextmanager
def collection_on_gui_thread() -> Iterator[None]:
    """Look for garbage in this thread's event loop, and nowhere else.

    Python collects on whichever thread makes the next object. A widget destroyed there while the
    window iterates over its widgets, to change the theme for example, crashes the program; between
    two events nothing iterates.
    """
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
    """Look as far as Python itself would: seldom through what is old, unless no one may look."""
    young, middle, old = gc.get_count()
    if young > COLLECTION_THRESHOLD and gc.isenabled():
        _, many_middle, many_old = gc.get_threshold()
        gc.collect(0 if middle <= many_middle else 1 if old <= many_old else 2)
