"""Unexpected errors: the log gets the details, the person gets a number to quote."""

import logging
import secrets
from datetime import datetime

from labeler.core.clock import Clock
from labeler.core.errors import LabelerError, as_environment_fault

_log = logging.getLogger(__name__)

UNEXPECTED_ERROR = (
    "An unexpected error occurred: incident {number}. Report this number to the lead."
)


def record_incident(
    error: BaseException, *, at: datetime, blind: bool = True, trial_id: str | None = None
) -> str:
    """Log the error and return the number of the incident; a blind record never quotes the error.

    `trial_id` is the trial or visit whose image the error is about.
    """
    number = secrets.token_hex(3).upper()
    extra = {"incident": number, "at": at, "blind": blind}
    if trial_id is not None:
        extra["trial_id"] = trial_id
    _log.error("incident", exc_info=error, extra=extra)
    return number


def error_sentence(error: Exception, *, clock: Clock, blind: bool = True) -> str:
    """Return what to show of an error: its own sentence if it has one, or an incident's number."""
    if isinstance(error, LabelerError):
        return str(error)
    fault = as_environment_fault(error, blind=blind)
    if fault is not None:
        return str(fault)
    number = record_incident(error, at=clock.utc(), blind=blind)
    return UNEXPECTED_ERROR.format(number=number)
