"""The start page: open the demo or a study, or create a new one."""

import os
import re
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from pathlib import Path

import platformdirs

from labeler.app.study.people import add_person
from labeler.app.study.recent_studies import RecentStudy
from labeler.app.study.settings import change_settings, set_lead_passphrase
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import load
from labeler.core.clock import Clock
from labeler.core.errors import InputError, LabelerError, RefusedError, os_error_reason
from labeler.core.study.entities import CODE_RULE, Role, is_valid_code
from labeler.core.study.exchange_rows import quoted
from labeler.store.study.folder import StudyFolder

_UNFIT = re.compile(r"[^\w.-]+")
# File systems allow names of 255 bytes; a letter may take four, and temporary names add a suffix.
_LONGEST = 48

NAME_NEEDED = "Enter a name for the study."
FOLDER_NEEDED = "Choose a folder for the study."
FOLDER_NOT_EMPTY = "The folder isn't empty. Choose a new one."
TAXONOMY_NEEDED = "Choose a taxonomy file, or use ImageNet's classes."
ADDRESS_NEEDED = "Enter the address of the database, such as postgresql://user@host/database."
OWN_CODE_NEEDED = "Enter a code to sign in with, for example L."
PASSPHRASES_DIFFER = "The passphrases don't match. Enter the same one twice."


def no_such_file_text(file: Path) -> str:
    return f"There is no file “{file}”. Check the spelling."


@dataclass(frozen=True, slots=True)
class StartView:
    """The recent studies, newest first, and a proposed name for a new one."""

    recent: tuple[RecentStudy, ...] = ()
    new_name: str = ""

    @property
    def last_place(self) -> Path | None:
        """The parent folder of the most recent study that still exists."""
        return next((study.folder.parent for study in self.recent if study.gone is None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStudyForm:
    """What a person enters to create a study.

    Without a `taxonomy` it has ImageNet's classes; `names` are files with translated class names.
    `server` is the address of an empty PostgreSQL database, or None for a file in the folder.
    """

    name: str
    folder: Path
    lead_code: str
    passphrase: str = field(default="", repr=False)
    taxonomy: Path | None = None
    names: tuple[Path, ...] = ()
    asks_confidence: bool = False
    server: str | None = None


class NewStudyField(Enum):
    """A part of the form that can be invalid."""

    NAME = auto()
    FOLDER = auto()
    TAXONOMY = auto()
    NAMES = auto()
    SERVER = auto()
    CODE = auto()
    PASSPHRASE = auto()


@dataclass(frozen=True, slots=True)
class NewStudyProblem:
    """Why a study can't be created, and the part of the form at fault, if known."""

    sentence: str
    about: NewStudyField | None = None


@dataclass(frozen=True, slots=True)
class FolderProposal:
    """A folder that doesn't exist yet; `taken` says why it isn't named after the study."""

    folder: Path
    taken: str = ""


def proposed_name(day: date) -> str:
    """Return a default name with the date, in which a group's studies usually differ."""
    return f"Study {day.isoformat()}"


def studies_folder() -> Path:
    """Return the folder for studies whose place the person doesn't choose."""
    return Path(platformdirs.user_documents_dir()) / "labeler"


def proposed_folder(name: str, *, inside: Path) -> FolderProposal:
    """Return a new folder named after the study, shortened if the name is long."""
    base = _UNFIT.sub("-", name.strip().lower()).strip("-.")[:_LONGEST].rstrip("-.") or "study"
    folder, number = inside / base, 2
    while _is_taken(folder):
        folder, number = inside / f"{base}-{number}", number + 1
    return FolderProposal(
        folder, "" if folder == inside / base else taken_folder_text(inside / base)
    )


def new_study_problem(wanted: NewStudyForm, *, passphrase_again: str) -> NewStudyProblem | None:
    """Return what is missing or wrong, or None if the study can be created."""
    if not wanted.name.strip():
        return NewStudyProblem(NAME_NEEDED, NewStudyField.NAME)
    return (
        _why_not_folder(wanted.folder)
        or _why_not_files(wanted)
        or _why_not_server(wanted)
        or _why_not_lead(wanted, passphrase_again=passphrase_again)
    )


def field_at_fault(error: Exception, wanted: NewStudyForm) -> NewStudyField | None:
    """Return the part of the form that caused an error while creating the study."""
    if isinstance(error, InputError):
        return NewStudyField.NAMES if error.file in wanted.names else NewStudyField.TAXONOMY
    # The entries are valid and every file could be read, so the place of the study is at fault.
    if wanted.server is not None and isinstance(error, LabelerError):
        return NewStudyField.SERVER
    return NewStudyField.FOLDER if isinstance(error, LabelerError) else None


def _is_taken(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # Not readable, so it may be free.
        return False


def taken_folder_text(taken: Path) -> str:
    if StudyFolder(taken).exists():
        return f"“{taken.name}” already holds a study. Consider another name."
    return f"“{taken.name}” already exists."


def _why_not_folder(folder: Path) -> NewStudyProblem | None:
    if folder == Path():
        return NewStudyProblem(FOLDER_NEEDED, NewStudyField.FOLDER)
    try:
        is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        return NewStudyProblem(
            f"The folder can't be used: {os_error_reason(error)}", NewStudyField.FOLDER
        )
    return None if is_free else NewStudyProblem(FOLDER_NOT_EMPTY, NewStudyField.FOLDER)


def _why_not_files(wanted: NewStudyForm) -> NewStudyProblem | None:
    if wanted.taxonomy == Path():
        return NewStudyProblem(TAXONOMY_NEEDED, NewStudyField.TAXONOMY)
    files = [(file, NewStudyField.NAMES) for file in wanted.names]
    if wanted.taxonomy is not None:
        files.insert(0, (wanted.taxonomy, NewStudyField.TAXONOMY))
    return next((problem for file, part in files if (problem := _why_not_file(file, part))), None)


def _why_not_file(file: Path, part: NewStudyField) -> NewStudyProblem | None:
    try:
        is_there = file.is_file()
    except OSError as error:
        return NewStudyProblem(f"“{file}” can't be used: {os_error_reason(error)}", part)
    if not is_there:
        return NewStudyProblem(no_such_file_text(file), part)
    if not os.access(file, os.R_OK):
        return NewStudyProblem(f"“{file}” can't be read: check its permissions.", part)
    return None


def _why_not_server(wanted: NewStudyForm) -> NewStudyProblem | None:
    if wanted.server is not None and not wanted.server:
        return NewStudyProblem(ADDRESS_NEEDED, NewStudyField.SERVER)
    return None


def _why_not_lead(wanted: NewStudyForm, *, passphrase_again: str) -> NewStudyProblem | None:
    if not wanted.lead_code:
        return NewStudyProblem(OWN_CODE_NEEDED, NewStudyField.CODE)
    if not is_valid_code(wanted.lead_code):
        return NewStudyProblem(CODE_RULE, NewStudyField.CODE)
    if wanted.passphrase != passphrase_again:
        return NewStudyProblem(PASSPHRASES_DIFFER, NewStudyField.PASSPHRASE)
    return None


def new_study_with_lead(wanted: NewStudyForm, *, clock: Clock) -> Path:
    """Create an empty study with its lead as the only participant."""
    if not is_valid_code(wanted.lead_code):  # before anything is on disk
        raise RefusedError(f"{quoted(wanted.lead_code)} isn't a valid code. {CODE_RULE}")
    taxonomy = None if wanted.taxonomy is None else load(wanted.taxonomy)
    with new_study(
        wanted.folder,
        clock=clock,
        name=wanted.name.strip(),
        taxonomy=taxonomy,
        names=wanted.names,
        server=wanted.server,
    ) as store:
        add_person(store, wanted.lead_code, roles=[Role.LEAD])
        if wanted.asks_confidence:
            change_settings(store, asks_confidence=True)
        if wanted.passphrase:
            set_lead_passphrase(store, wanted.passphrase)
    return wanted.folder
