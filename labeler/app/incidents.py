"""Defects of ours: the details go to a log, the person gets a number to quote."""

import secrets
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

import platformdirs

from labeler.core.clock import Clock, stamp
from labeler.core.errors import LabelerError, as_environment_fault
from labeler.images.unreadable import UnreadableImage

_LONGEST_CHAIN = 10


def log_folder() -> Path:
    return Path(platformdirs.user_log_dir("labeler", appauthor=False))


def record_incident(
    error: BaseException, *, at: datetime, blind: bool = True, folder: Path | None = None
) -> str:
    """Write the error with its places in the program to the log; give the incident's number.

    The log of anyone who may not know the targets is blind: it has no error's own words, since
    those
    may name an image's file, and that often is the target.
    """
    number = secrets.token_hex(3).upper()
    details = _without_words(error) if blind else "".join(traceback.format_exception(error))
    # Where the log can't be written, the person still gets a sentence instead of a second error.
    with suppress(OSError):
        _append(folder or log_folder(), f"--- {stamp(at)} incident {number}\n{details}\n")
    return number


def _append(folder: Path, entry: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "incidents.log").open("a", encoding="utf-8", errors="replace") as log:
        log.write(entry)


def _without_words(error: BaseException) -> str:
    """The error and those it came from, each by its kind and its lines of code."""
    chain = islice(_chain(error), _LONGEST_CHAIN)
    return "from ".join(f"{_kind(each)}\n{_places(each)}" for each in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _places(error: BaseException) -> str:
    return "".join(traceback.format_tb(error.__traceback__))


def _kind(error: BaseException) -> str:
    """The error's class, with what else tells errors of it apart and is one of a closed set."""
    name = type(error).__name__
    if isinstance(error, UnreadableImage):
        return f"{name} ({error.reason})"
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name} (errno {error.errno})"
    # What SQLite calls it, where it is one of SQLite's.
    error_name = getattr(error, "sqlite_errorname", None)
    return f"{name} ({error_name})" if error_name else name


def error_sentence(error: Exception, *, clock: Clock, blind: bool = True) -> str:
    """What a person is reported of an error: a sentence of ours, or the number of an incident."""
    if isinstance(error, LabelerError):
        return str(error)
    fault = as_environment_fault(error, blind=blind)
    if fault is not None:
        return str(fault)
    number = record_incident(error, at=clock.utc(), blind=blind)
    return f"Something unforeseen happened: incident {number}. Please tell the lead."
