"""What nobody foresaw while the window was open: a number to quote, never a traceback."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from labeler.app.incidents import record
from labeler.core.clock import SystemClock


@contextmanager
def told_as_incidents(tell: Callable[[str], None], *, blind: Callable[[], bool]) -> Iterator[None]:
    """Record every error that no code caught, also in Qt's slots, and tell its number.

    `blind` says whether the log is one that must not hold an error's own words.
    """

    def catch(
        _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        number = record(error, at=SystemClock().utc(), blind=blind())
        tell(
            f"Something went wrong that is labeler's fault, not yours: incident {number}. What "
            "was committed is safe. Tell the lead of the study this number."
        )

    before, sys.excepthook = sys.excepthook, catch
    try:
        yield
    finally:
        sys.excepthook = before
