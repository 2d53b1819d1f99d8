"""When Python looks for objects that nobody needs any more: never where a person would notice.

It looks after each so many new objects, now and then through all there are: while the window starts
that takes a tenth of the time, and later it would hold the window up for as long as a blink.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
    """Look through what is made from now on only: the rest is needed as long as somebody works."""
    gc.freeze()


def unfreeze_objects() -> None:
    """Look through everything, now that nobody works any more."""
    gc.unfreeze()
