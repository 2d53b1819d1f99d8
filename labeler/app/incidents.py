"""Defects of ours: the details go to a log, the person gets a number to quote."""

import secrets
import traceback
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import platformdirs

from labeler.core.clock import stamp


def log_folder() -> Path:
    return Path(platformdirs.user_log_dir("labeler", appauthor=False))


def record(error: BaseException, *, at: datetime, folder: Path | None = None) -> str:
    """Write the error's traceback to the log; give the incident's number."""
    number = secrets.token_hex(3).upper()
    details = "".join(traceback.format_exception(error))
    # Where the log can't be written, the person still gets a sentence instead of a second error.
    with suppress(OSError):
        _append(folder or log_folder(), f"--- {stamp(at)} incident {number}\n{details}\n")
    return number


def _append(folder: Path, entry: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "incidents.log").open("a", encoding="utf-8", errors="replace") as log:
        log.write(entry)
