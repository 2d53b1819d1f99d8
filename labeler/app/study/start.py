"""The first page: a demo, a study that exists, a new one."""

import os
import re
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from pathlib import Path

from labeler.app.study.recent_studies import RecentStudy
from labeler.core.errors import InputError, LabelerError
from labeler.core.machine_faults import machine_reason
from labeler.core.study.codes import is_code
from labeler.store.study.folder import StudyFolder

_UNFIT = re.compile(r"[^\w.-]+")
# File systems take names of 255 bytes; a letter may have four, and the making adds some of its own.
_LONGEST = 48


@dataclass(frozen=True, slots=True)
class StartView:
    """The studies opened last, most recent first, and a name for a new one."""

    recent: tuple[RecentStudy, ...] = ()
    new_name: str = ""

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


class Part(Enum):
    """A part of the form that something can be wrong with."""

    NAME = auto()
    FOLDER = auto()
    TAXONOMY = auto()
    NAMES = auto()
    CODE = auto()
    PASSPHRASE = auto()


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a study can't be made, and the part of the form that it is about, where it is known."""

    sentence: str
    about: Part | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A folder that doesn't exist yet; `taken` says why it isn't called as the study is."""

    folder: Path
    taken: str = ""


def proposed_name(day: date) -> str:
    """A name for whoever has none in mind: most studies of a group differ in their day."""
    return f"Study {day.isoformat()}"


def proposed_folder(name: str, *, inside: Path) -> Proposal:
    """A folder for a study of that name, shortened where the name is long."""
    base = _UNFIT.sub("-", name.strip().lower()).strip("-.")[:_LONGEST].rstrip("-.") or "study"
    folder, number = inside / base, 2
    while _is_taken(folder):
        folder, number = inside / f"{base}-{number}", number + 1
    return Proposal(folder, "" if folder == inside / base else _told_of(inside / base))


def why_not(wanted: NewStudy, *, passphrase_again: str) -> Lack | None:
    """What is still missing or wrong; None when nothing speaks against making the study."""
    if not wanted.name.strip():
        return Lack("Give the study a name.", Part.NAME)
    return (
        _why_not_folder(wanted.folder)
        or _why_not_files(wanted)
        or _why_not_lead(wanted, passphrase_again=passphrase_again)
    )


def part_at_fault(error: Exception, wanted: NewStudy) -> Part | None:
    """The part of the form that an error in making the study is about."""
    if isinstance(error, InputError):
        return Part.NAMES if error.file in wanted.names else Part.TAXONOMY
    # What was entered was sound, and every file could be read: it is the place that isn't good.
    return Part.FOLDER if isinstance(error, LabelerError) else None


def _is_taken(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # nobody may look, so nobody knows
        return False


def _told_of(taken: Path) -> str:
    if StudyFolder(taken).exists():
        return f"Another name would tell it from the study that lies in “{taken.name}”."
    return f"Something else lies in “{taken.name}”."


def _why_not_folder(folder: Path) -> Lack | None:
    if folder == Path():
        return Lack("Choose a folder for the study.", Part.FOLDER)
    try:
        is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        return Lack(f"The folder can't be taken: {machine_reason(error)}", Part.FOLDER)
    return None if is_free else Lack("The folder isn't empty: choose a new one.", Part.FOLDER)


def _why_not_files(wanted: NewStudy) -> Lack | None:
    if wanted.taxonomy == Path():
        return Lack("Choose the taxonomy's file, or take ImageNet's classes.", Part.TAXONOMY)
    files = [(file, Part.NAMES) for file in wanted.names]
    if wanted.taxonomy is not None:
        files.insert(0, (wanted.taxonomy, Part.TAXONOMY))
    return next((lack for file, part in files if (lack := _why_not_file(file, part))), None)


def _why_not_file(file: Path, part: Part) -> Lack | None:
    try:
        is_there = file.is_file()
    except OSError as error:
        return Lack(f"“{file}” can't be taken: {machine_reason(error)}", part)
    if not is_there:
        return Lack(f"There is no file “{file}”: check how it is spelled.", part)
    if not os.access(file, os.R_OK):
        return Lack(f"“{file}” can't be read: you may not look into it.", part)
    return None


def _why_not_lead(wanted: NewStudy, *, passphrase_again: str) -> Lack | None:
    if not wanted.lead_code:
        return Lack("Give yourself a code, for example L: you sign in with it.", Part.CODE)
    if not is_code(wanted.lead_code):
        rule = "A code has up to 64 characters, without spaces, commas, bars or slashes."
        return Lack(rule, Part.CODE)
    if wanted.passphrase != passphrase_again:
        return Lack("The two passphrases differ.", Part.PASSPHRASE)
    return None
