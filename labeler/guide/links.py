"""The links and pictures that a page may contain."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

_CLASS = re.compile(r"class:(n[0-9]{8})")
_PAGE = re.compile(r"(?:page:)?([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.md)?")
_REFERENCE = re.compile(r"ref:(n[0-9]{8})/([1-9][0-9]{0,3})")
_PICTURE = re.compile(r"(?:picture:)?((?:[\w-]+/)*[\w-]+\.(?:png|jpe?g|webp|svg))", re.IGNORECASE)
_EXTERNAL = re.compile(r"(?:https?://|mailto:)[^\s<>\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GuideClassLink:
    """A link to a class."""

    wnid: str

    @property
    def address(self) -> str:
        return f"class:{self.wnid}"


@dataclass(frozen=True, slots=True)
class GuidePageLink:
    """A link to a page of the guide."""

    slug: str

    @property
    def address(self) -> str:
        return f"page:{self.slug}"


@dataclass(frozen=True, slots=True)
class ExternalLink:
    """An external address: shown as text, never opened."""

    address: str


@dataclass(frozen=True, slots=True)
class ReferencePicture:
    """One of a class's reference images, counted from 1."""

    wnid: str
    number: int

    @property
    def address(self) -> str:
        return f"ref:{self.wnid}/{self.number}"


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture file in the guide's folder, by its path inside it."""

    path: str

    @property
    def address(self) -> str:
        return f"picture:{self.path}"

    @property
    def is_schematic(self) -> bool:
        return self.path.lower().endswith(".svg")


GuideLink = GuideClassLink | GuidePageLink | ExternalLink
GuidePicture = ReferencePicture | PictureFile


def parse_link(address: str) -> GuideLink | None:
    """Parse a link's address; None if a page may not link to it."""
    if found := _CLASS.fullmatch(address):
        return GuideClassLink(found[1])
    if found := _PAGE.fullmatch(address):
        return GuidePageLink(found[1])
    return ExternalLink(address) if _EXTERNAL.fullmatch(address) else None


def parse_picture(address: str) -> GuidePicture | None:
    """Parse a picture's address; None if a page may not show it."""
    if found := _REFERENCE.fullmatch(address):
        return ReferencePicture(wnid=found[1], number=int(found[2]))
    found = _PICTURE.fullmatch(unquote(address))
    return PictureFile(found[1]) if found else None


def find_picture_file(picture: PictureFile, *, folder: Path) -> Path | None:
    """Return the picture's file, or None if it is missing or a symlink out of the folder."""
    file = Path(os.path.realpath(folder / picture.path))
    inside = file.is_relative_to(os.path.realpath(folder))
    return file if inside and file.is_file() else None
