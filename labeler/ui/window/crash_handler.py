"""What no one foresaw while the window was open: a number to quote, never a traceback."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from labeler.app.incidents import record_incident
from labeler.core.clock import SystemClock
from labeler.core.errors import as_environment_fault


@contextmanager
def report_uncaught_errors(
    show: Callable[[str], None], *, blind: Callable[[], bool]
) -> Iterator[None]:
    """Record every error that no code caught, also in Qt's slots, and tell its number.

    What a disk refused is reported as that. `blind` says whether the log is one that must not hold
    an
    error's own words, and whether the person may not read a file's name.
    """

    def catch(
        _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        fault = as_environment_fault(error, blind=blind())
        show(_incident_message(error, blind=blind()) if fault is None else str(fault))

    before, sys.excepthook = sys.excepthook, catch
    try:
        yield
    finally:
        sys.excepthook = before


def _incident_message(error: BaseException, *, blind: bool) -> str:
    number = record_incident(error, at=SystemClock().utc(), blind=blind)
    return (
        f"Something went wrong that is labeler's fault, not yours: incident {number}. What "
        "was committed is safe. Tell the lead of the study this number."
    )
