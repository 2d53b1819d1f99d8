"""The first page: a demo, a study that exists, a new one."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from labeler.app.recent_studies import RecentStudy
from labeler.core.codes import is_code
from labeler.core.machine_faults import machine_reason

_UNFIT = re.compile(r"[^\w.-]+")
# A disk takes 255 bytes, of which a letter may need four.
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class StartView:
    """The studies opened last, most recent first."""

    recent: tuple[RecentStudy, ...] = ()

    @property
    def last_place(self) -> Path | None:
        """The folder in which the study lies that was opened last and is still there."""
        return next((study.folder.parent for study in self.recent if study.gone is None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStudy:
    """What a person says about the study that they want to begin.

    Without a `taxonomy` it has ImageNet's classes; `names` are files with them in other languages.
    """

    name: str
    folder: Path
    lead_code: str
    passphrase: str = field(default="", repr=False)
    taxonomy: Path | None = None
    names: tuple[Path, ...] = ()
    asks_confidence: bool = False


def proposed_folder(name: str, *, inside: Path) -> Path:
    """A folder for a study of that name, which doesn't exist yet."""
    base = _UNFIT.sub("-", name.strip().lower())[:_LONGEST_NAME].strip("-.") or "study"
    folder, number = inside / base, 2
    while folder.exists():
        folder, number = inside / f"{base}-{number}", number + 1
    return folder


def why_not(wanted: NewStudy, *, passphrase_again: str) -> str | None:
    """What is still missing or wrong, in a sentence; None when the study can be made."""
    if not wanted.name.strip():
        return "Give the study a name."
    if (reason := _why_not_places(wanted)) is not None:
        return reason
    if not is_code(wanted.lead_code):
        return "A code has up to 64 characters, without spaces, commas, bars or slashes."
    if wanted.passphrase != passphrase_again:
        return "The two passphrases differ."
    return None


def _why_not_places(wanted: NewStudy) -> str | None:
    try:
        if wanted.folder.exists() and (not wanted.folder.is_dir() or any(wanted.folder.iterdir())):
            return f"“{wanted.folder}” isn't empty: choose a new folder."
        return _why_not_files(wanted)
    except OSError as error:
        return f"“{error.filename}” can't be taken: {machine_reason(error)}"


def _why_not_files(wanted: NewStudy) -> str | None:
    if wanted.taxonomy == Path():
        return "Choose the taxonomy's file, or take ImageNet's classes."
    files = wanted.names if wanted.taxonomy is None else (wanted.taxonomy, *wanted.names)
    missing = next((file for file in files if not file.is_file()), None)
    return None if missing is None else f"There is no file “{missing}”."
