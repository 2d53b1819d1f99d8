"""When Python looks for objects that nobody needs any more: never where a person would notice.

It looks after each so many new objects, now and then through all there are: while the window starts
that takes a tenth of the time, and later it would hold the window up for as long as a blink.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# A start makes many times as many, nearly all of which stay.
MANY_OBJECTS = 25_000


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for garbage after many new objects only."""
    before = gc.get_threshold()
    gc.set_threshold(MANY_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def not_collecting() -> Iterator[None]:
    """Don't look at all while much is made that stays; afterwards pass that over."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


def pass_over_what_is_there() -> None:
    """Look through what is made from now on only: the rest is needed as long as somebody works."""
    gc.freeze()


def look_at_all_again() -> None:
    """Look through everything, now that nobody works any more."""
    gc.unfreeze()
