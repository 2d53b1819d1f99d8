"""The first page: a demo, a study that exists, a new one."""

import os
import re
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from pathlib import Path

from labeler.app.study.people import add_person
from labeler.app.study.recent_studies import RecentStudy
from labeler.app.study.settings import change_settings, set_lead_passphrase
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import load
from labeler.core.clock import Clock
from labeler.core.errors import InputError, LabelerError, RefusedError, os_error_reason
from labeler.core.study.entities import Role, is_valid_code
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
        """The folder in which the study is that was opened last and is still there."""
        return next((study.folder.parent for study in self.recent if study.gone is None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStudyForm:
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


class NewStudyField(Enum):
    """A part of the form that something can be wrong with."""

    NAME = auto()
    FOLDER = auto()
    TAXONOMY = auto()
    NAMES = auto()
    CODE = auto()
    PASSPHRASE = auto()


@dataclass(frozen=True, slots=True)
class NewStudyProblem:
    """Why a study can't be made, and the part of the form that it is about, where it is known."""

    sentence: str
    about: NewStudyField | None = None


@dataclass(frozen=True, slots=True)
class FolderProposal:
    """A folder that doesn't exist yet; `taken` says why it isn't called as the study is."""

    folder: Path
    taken: str = ""


def proposed_name(day: date) -> str:
    """A name for anyone who has none in mind: most studies of a group differ in their day."""
    return f"Study {day.isoformat()}"


def proposed_folder(name: str, *, inside: Path) -> FolderProposal:
    """A folder for a study of that name, shortened where the name is long."""
    base = _UNFIT.sub("-", name.strip().lower()).strip("-.")[:_LONGEST].rstrip("-.") or "study"
    folder, number = inside / base, 2
    while _is_taken(folder):
        folder, number = inside / f"{base}-{number}", number + 1
    return FolderProposal(folder, "" if folder == inside / base else _taken_sentence(inside / base))


def new_study_problem(wanted: NewStudyForm, *, passphrase_again: str) -> NewStudyProblem | None:
    """What is still missing or wrong; None when nothing speaks against making the study."""
    if not wanted.name.strip():
        return NewStudyProblem("Give the study a name.", NewStudyField.NAME)
    return (
        _why_not_folder(wanted.folder)
        or _why_not_files(wanted)
        or _why_not_lead(wanted, passphrase_again=passphrase_again)
    )


def field_at_fault(error: Exception, wanted: NewStudyForm) -> NewStudyField | None:
    """The part of the form that an error in making the study is about."""
    if isinstance(error, InputError):
        return NewStudyField.NAMES if error.file in wanted.names else NewStudyField.TAXONOMY
    # What was entered was sound, and every file could be read: it is the place that isn't good.
    return NewStudyField.FOLDER if isinstance(error, LabelerError) else None


def _is_taken(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # no one may look, so no one knows
        return False


def _taken_sentence(taken: Path) -> str:
    if StudyFolder(taken).exists():
        return f"Another name would tell it from the study that lies in “{taken.name}”."
    return f"Something else lies in “{taken.name}”."


def _why_not_folder(folder: Path) -> NewStudyProblem | None:
    if folder == Path():
        return NewStudyProblem("Choose a folder for the study.", NewStudyField.FOLDER)
    try:
        is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        return NewStudyProblem(
            f"The folder can't be taken: {os_error_reason(error)}", NewStudyField.FOLDER
        )
    return (
        None
        if is_free
        else NewStudyProblem("The folder isn't empty: choose a new one.", NewStudyField.FOLDER)
    )


def _why_not_files(wanted: NewStudyForm) -> NewStudyProblem | None:
    if wanted.taxonomy == Path():
        return NewStudyProblem(
            "Choose the taxonomy's file, or take ImageNet's classes.", NewStudyField.TAXONOMY
        )
    files = [(file, NewStudyField.NAMES) for file in wanted.names]
    if wanted.taxonomy is not None:
        files.insert(0, (wanted.taxonomy, NewStudyField.TAXONOMY))
    return next((problem for file, part in files if (problem := _why_not_file(file, part))), None)


def _why_not_file(file: Path, part: NewStudyField) -> NewStudyProblem | None:
    try:
        is_there = file.is_file()
    except OSError as error:
        return NewStudyProblem(f"“{file}” can't be taken: {os_error_reason(error)}", part)
    if not is_there:
        return NewStudyProblem(f"There is no file “{file}”: check how it is spelled.", part)
    if not os.access(file, os.R_OK):
        return NewStudyProblem(f"“{file}” can't be read: you may not look into it.", part)
    return None


def _why_not_lead(wanted: NewStudyForm, *, passphrase_again: str) -> NewStudyProblem | None:
    if not wanted.lead_code:
        return NewStudyProblem(
            "Give yourself a code, for example L: you sign in with it.", NewStudyField.CODE
        )
    if not is_valid_code(wanted.lead_code):
        rule = "A code has up to 64 characters, without spaces, commas, bars or slashes."
        return NewStudyProblem(rule, NewStudyField.CODE)
    if wanted.passphrase != passphrase_again:
        return NewStudyProblem("The two passphrases differ.", NewStudyField.PASSPHRASE)
    return None


# The functions below import what they need when they are called: the start screen mustn't wait for
# the modules of the database and of the composer.
def new_study_with_lead(wanted: NewStudyForm, *, clock: Clock) -> Path:
    """Make an empty study with its lead, who alone can sign in until others are added."""
    if not is_valid_code(wanted.lead_code):  # before anything is on disk
        raise RefusedError(
            f"'{wanted.lead_code}' can't be a participant's code: up to 64 characters, without "
            "spaces, commas, bars or slashes."
        )
    taxonomy = None if wanted.taxonomy is None else load(wanted.taxonomy)
    with new_study(
        wanted.folder,
        clock=clock,
        name=wanted.name.strip(),
        taxonomy=taxonomy,
        names=wanted.names,
    ) as store:
        add_person(store, wanted.lead_code, roles=[Role.LEAD])
        if wanted.asks_confidence:
            change_settings(store, asks_confidence=True)
        if wanted.passphrase:
            set_lead_passphrase(store, wanted.passphrase)
    return wanted.folder
