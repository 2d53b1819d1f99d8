"""Versions of the program and its libraries, and the licences of everything that ships with it."""

import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from labeler import __version__
from labeler.locations import RESOURCES

_SHOWN_PACKAGES = ("PySide6_Essentials", "numpy", "pillow", "SQLAlchemy", "RapidFuzz")

MISSING_LICENCE = "The text of this licence is missing. Install labeler again to restore it."


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence's text and what it covers."""

    covers: str
    text: str


@dataclass(frozen=True, slots=True)
class AboutView:
    """Versions as (name, version), and licences."""

    version: str
    versions: tuple[tuple[str, str], ...]
    licences: tuple[Licence, ...]


_SHIPPED = (
    ("WordNet 3.0, the source of the taxonomy", "WORDNET-LICENSE.txt"),
    ("The demo's cut-out photographs", "demo/COPYRIGHT"),
    ("The demo's cut-out photographs, GPL 2", "demo/GPL-2.txt"),
)
_QT_TEXT = (
    "The window is drawn by Qt through PySide6, both by The Qt Company and contributors, used "
    "under the GNU Lesser General Public License, version 3. They are installed next to the "
    "program as packages of their own and can be replaced there."
)


def about_view(resources: Path = RESOURCES) -> AboutView:
    """Read versions and licences from what is installed."""
    shipped = [Licence(covers, _text(resources / file)) for covers, file in _SHIPPED]
    return AboutView(
        version=__version__,
        versions=(("Python", platform.python_version()), *_packages()),
        licences=(Licence("labeler", _own()), *shipped, Licence("Qt and PySide6", _QT_TEXT)),
    )


def _packages() -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", " "), metadata.version(name)) for name in _SHOWN_PACKAGES)


def _own() -> str:
    """The program's own licence, as its installation carries it."""
    try:
        own = metadata.distribution("labeler")
    except metadata.PackageNotFoundError:
        return "MIT licence."
    return own.read_text("licenses/LICENSE") or f"{own.metadata['License-Expression']} licence."


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return MISSING_LICENCE
