"""How long one thread may keep the others waiting for Python.

Python lets a busy thread run for five milliseconds before another gets its turn. The window's
thread asks for a turn after nearly every call into Qt, so that a worker that searches or decodes
could hold one repainting up for a tenth of a second. Shorter turns cost the worker next to nothing.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TURN_SECONDS = 0.000_5


@contextmanager
def short_turns() -> Iterator[None]:
    """Let threads take short turns while a window is open."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
