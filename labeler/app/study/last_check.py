"""When a study was last checked, and what was found, for the lead's home page."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from labeler.core.errors import EnvironmentFault
from labeler.images.atomic_write import write_atomically
from labeler.store.study.folder import StudyFolder


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When the study was checked, and how many problems were found."""

    at: datetime
    problems: int


def record_check(folder: StudyFolder, check: LastCheck) -> None:
    """Remember a check, if the folder can be written: its result was shown already."""
    text = json.dumps({"at": check.at.isoformat(), "problems": check.problems})
    with suppress(EnvironmentFault):
        write_atomically(folder.last_check, text.encode())


def last_check(folder: StudyFolder) -> LastCheck | None:
    """Return the last check, or None if there was none or its record can't be read."""
    try:
        found = json.loads(folder.last_check.read_bytes())
        return LastCheck(datetime.fromisoformat(found["at"]), int(found["problems"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
