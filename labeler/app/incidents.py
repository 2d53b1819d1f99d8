"""Defects of ours: the details go to a log, the person gets a number to quote."""

import secrets
import traceback
from datetime import datetime
from pathlib import Path

import platformdirs

from labeler.core.clock import stamp


def log_folder() -> Path:
    return Path(platformdirs.user_log_dir("labeler", appauthor=False))


def record(error: BaseException, *, at: datetime, folder: Path | None = None) -> str:
    """Write the error's traceback to the log; give the incident's number."""
    number = secrets.token_hex(3).upper()
    place = folder or log_folder()
    place.mkdir(parents=True, exist_ok=True)
    details = "".join(traceback.format_exception(error))
    with (place / "incidents.log").open("a", encoding="utf-8") as log:
        log.write(f"--- {stamp(at)} incident {number}\n{details}\n")
    return number
