"""What the window remembers between runs: geometry, docks, who signed in last."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from labeler.core.study.entities import Role

_GEOMETRY, _TILE_SIZE = "window/geometry", "references/tile_size"
_RESULT_VIEW = "search/result_view"


class SavedWindowState:
    """Reads and writes Qt's settings; unreadable values count as missing."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def tile_size(self) -> int | None:
        value = str(self._settings.value(_TILE_SIZE))
        return int(value) if value.isdecimal() else None

    def remember_tile_size(self, size: int) -> None:
        self._settings.setValue(_TILE_SIZE, size)

    @property
    def result_view(self) -> str:
        """How the results of a search are shown; empty if that was never chosen."""
        value = self._settings.value(_RESULT_VIEW)
        return value if isinstance(value, str) else ""

    def remember_result_view(self, result_view: str) -> None:
        self._settings.setValue(_RESULT_VIEW, result_view)

    @property
    def geometry(self) -> QByteArray | None:
        return self._bytes(_GEOMETRY)

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._settings.setValue(_GEOMETRY, geometry)

    def docks(self, code: str) -> QByteArray | None:
        """Return the person's arrangement of the workbench."""
        return self._bytes(f"workbench/{_key(code)}/docks")

    def remember_docks(self, code: str, arrangement: QByteArray) -> None:
        self._settings.setValue(f"workbench/{_key(code)}/docks", arrangement)

    def layout(self, code: str) -> str:
        """Return the person's layout of the workbench; empty if none was ever chosen."""
        value = self._settings.value(f"workbench/{_key(code)}/layout")
        return value if isinstance(value, str) else ""

    def remember_layout(self, code: str, layout: str) -> None:
        self._settings.setValue(f"workbench/{_key(code)}/layout", layout)

    def share(self, place: str) -> int | None:
        """Return the first part's share of a splitter, in percent."""
        value = str(self._settings.value(f"shares/{place}"))
        return int(value) if value.isdecimal() and 0 < int(value) < 100 else None

    def remember_share(self, place: str, percent: int) -> None:
        self._settings.setValue(f"shares/{place}", percent)

    def person(self, study: Path) -> tuple[str, Role | None]:
        """Return the code and role that signed in to the study last."""
        place = _people_group(study)
        code = self._settings.value(f"{place}/code")
        return (code if isinstance(code, str) else ""), self._role(f"{place}/role")

    def role_of(self, study: Path, code: str) -> Role | None:
        """Return the role in which the code signed in to the study last."""
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
    """Return a key that every settings format accepts, whatever the text contains."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
