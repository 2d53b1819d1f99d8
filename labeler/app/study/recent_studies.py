"""The studies most recently opened by this person on this computer."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from labeler.core.errors import EnvironmentFault
from labeler.images.atomic_write import write_atomically
from labeler.store.sharing.bundle_file import is_bundle_file
from labeler.store.study.folder import StudyFolder

MAX_RECENT_STUDIES = 8
NO_LONGER_A_STUDY = "no longer a study"
FOLDER_NOT_FOUND = "folder not found"
FOLDER_UNREADABLE = "folder can't be read"


@dataclass(frozen=True, slots=True)
class RecentStudy:
    """A study's name and folder; `gone` says why it can't be opened, if it can't."""

    name: str
    folder: Path
    gone: str | None = None


def recent_studies_path() -> Path:
    return Path(platformdirs.user_state_dir("labeler", appauthor=False)) / "recent-studies.json"


class RecentStudies:
    """A short list, newest first; entries that can't be read or saved are dropped."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or recent_studies_path()

    def all(self) -> tuple[RecentStudy, ...]:
        return tuple(_recent_study(name, Path(folder)) for name, folder in self._entries())

    def remember(self, name: str, folder: Path) -> None:
        """Move the study to the top of the list."""
        opened = str(folder.resolve())
        others = [entry for entry in self._entries() if entry[1] != opened]
        self._keep([(name, opened), *others])

    def _keep(self, entries: list[tuple[str, str]]) -> None:
        kept = [{"name": name, "folder": folder} for name, folder in entries[:MAX_RECENT_STUDIES]]
        # Failing to save the list must not prevent a study from opening.
        with suppress(EnvironmentFault):
            write_atomically(self._file, json.dumps(kept, ensure_ascii=False, indent=2).encode())

    def _entries(self) -> list[tuple[str, str]]:
        try:
            read: Any = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [_entry(each) for each in read if _is_entry(each)] if isinstance(read, list) else []


def _is_entry(each: object) -> bool:
    return isinstance(each, dict) and all(isinstance(each.get(k), str) for k in ("name", "folder"))


def _entry(each: dict[str, str]) -> tuple[str, str]:
    return each["name"], each["folder"]


def _recent_study(name: str, folder: Path) -> RecentStudy:
    return RecentStudy(name, folder, _missing_reason(folder))


def _missing_reason(folder: Path) -> str | None:
    try:
        if is_bundle_file(folder) or StudyFolder(folder).exists():
            return None
        return NO_LONGER_A_STUDY if folder.is_dir() else FOLDER_NOT_FOUND
    except OSError:
        return FOLDER_UNREADABLE
