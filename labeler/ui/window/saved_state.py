"""What the window remembers from one time to the next: its place, its docks, who sat here."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from labeler.core.study.entities import Role

_GEOMETRY, _TILE_SIZE = "window/geometry", "references/tile_size"


class SavedWindowState:
    """Reads and writes Qt's settings; what can't be read counts as not remembered."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings
        self._recent: dict[tuple[Path, str, str], tuple[str, ...]] = {}

    @property
    def tile_size(self) -> int | None:
        value = str(self._settings.value(_TILE_SIZE))
        return int(value) if value.isdecimal() else None

    def remember_tile_size(self, size: int) -> None:
        self._settings.setValue(_TILE_SIZE, size)

    @property
    def geometry(self) -> QByteArray | None:
        return self._bytes(_GEOMETRY)

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._settings.setValue(_GEOMETRY, geometry)

    def docks(self, code: str) -> QByteArray | None:
        """How the person arranged the workbench."""
        return self._bytes(f"workbench/{_key(code)}/docks")

    def remember_docks(self, code: str, arrangement: QByteArray) -> None:
        self._settings.setValue(f"workbench/{_key(code)}/docks", arrangement)

    def recent_classes(self, study: Path, *, code: str, task: str) -> tuple[str, ...]:
        """The classes that the person answered a task with last, since the program was started."""
        return self._recent.get((study, code, task), ())

    def remember_recent_classes(
        self, study: Path, *, code: str, task: str, wnids: tuple[str, ...]
    ) -> None:
        """Keep them in mind alone: no one's answers are written outside the study."""
        self._recent[study, code, task] = wnids

    def share(self, place: str) -> int | None:
        """How much of their room the first of two parts has, in percent."""
        value = str(self._settings.value(f"shares/{place}"))
        return int(value) if value.isdecimal() and 0 < int(value) < 100 else None

    def remember_share(self, place: str, percent: int) -> None:
        self._settings.setValue(f"shares/{place}", percent)

    def person(self, study: Path) -> tuple[str, Role | None]:
        """Who signed in to the study here last, in which role."""
        place = _people_group(study)
        code = self._settings.value(f"{place}/code")
        return (code if isinstance(code, str) else ""), self._role(f"{place}/role")

    def role_of(self, study: Path, code: str) -> Role | None:
        """In which role that code signed in to the study here last."""
        return self._role(f"{_people_group(study)}/roles/{_key(code)}")

    def remember_person(self, study: Path, *, code: str, role: Role) -> None:
        place = _people_group(study)
        self._settings.setValue(f"{place}/code", code)
        self._settings.setValue(f"{place}/role", role.value)
        self._settings.setValue(f"{place}/roles/{_key(code)}", role.value)

    def _role(self, key: str) -> Role | None:
        try:
            return Role(str(self._settings.value(key)))
        except ValueError:
            return None

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) else None


def _people_group(study: Path) -> str:
    return f"people/{_key(str(study.resolve()))}"


def _key(text: str) -> str:
    """A name that any settings file takes, whatever is in a code or a path."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
