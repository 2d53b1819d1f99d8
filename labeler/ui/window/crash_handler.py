"""Reports uncaught errors with an incident number instead of a traceback."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from labeler.app.incidents import record_incident
from labeler.core.clock import SystemClock
from labeler.core.errors import as_environment_fault

INCIDENT = (
    "labeler has run into a problem (incident {number}). Your committed answers are safe. Please "
    "report this number to the lead of the study."
)


@contextmanager
def report_uncaught_errors(
    show: Callable[[str], None], *, blind: Callable[[], bool]
) -> Iterator[None]:
    """Record every uncaught error, including those in Qt's slots, and show its number.

    An error of the disk or the system is shown as such. `blind` says whether messages and the log
    must not contain file names or the text of errors.
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
    return INCIDENT.format(number=record_incident(error, at=SystemClock().utc(), blind=blind))
