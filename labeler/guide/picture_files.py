"""The picture files of a page: names, contents and limits."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from labeler.core.errors import InputError
from labeler.guide.links import PictureFile, find_picture_file, parse_picture
from labeler.guide.markdown import find_addresses
from labeler.guide.schematics import schematic_size
from labeler.images.decoder import decode_illustration
from labeler.images.pillow import open_header
from labeler.images.unreadable import UnreadableImage, UnreadableReason

# Every version that shows a picture stores it, in a database that is copied for each backup.
MAX_PICTURE_BYTES = 4 * 1024 * 1024
_PROBE_SIZE = (64, 64)
_ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}
_MAY_NAME_ONE = re.compile(r"\.(?:png|jpe?g|webp|svg)", re.IGNORECASE)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n\s*\n")
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")

# Returns a picture's bytes by its path inside the guide, or None.
PictureLoader = Callable[[str], bytes | None]


def named_pictures(text: str) -> tuple[str, ...]:
    """Return the paths of the picture files that a page's text refers to, without duplicates."""
    # Parsing every page of a guide takes a while, and a picture stays inside its paragraph, unless
    # its address is defined elsewhere on the page.
    parts = [text] if _DEFINITION.search(text) else _BLANK_LINE.split(text)
    candidates = (part for part in parts if _MAY_NAME_ONE.search(part))
    addresses = (a for part in candidates for a in find_addresses(part.strip()))
    named = (parse_picture(a.written) for a in addresses if a.is_picture)
    return tuple(dict.fromkeys(each.path for each in named if isinstance(each, PictureFile)))


def picture_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def folder_picture_loader(folder: Path) -> PictureLoader:
    """Return a loader for the pictures in a folder."""
    return lambda path: read_picture_file(PictureFile(path), folder=folder)


def read_picture_file(picture: PictureFile, *, folder: Path) -> bytes | None:
    """Return the picture's bytes, or None if it is missing, outside the folder or too large."""
    file = find_picture_file(picture, folder=folder)
    try:
        if file is None or file.stat().st_size > MAX_PICTURE_BYTES:
            return None
        return file.read_bytes()
    except OSError:
        return None


def check_picture(picture: PictureFile, content: bytes) -> None:
    """Raise UnreadableImage where the content can't be shown."""
    if picture.is_schematic:
        schematic_size(content)
    else:
        decode_illustration(content, size=_PROBE_SIZE)


def read_new_picture(file: Path) -> tuple[str, bytes]:
    """Return a name for the file inside a guide and its bytes; errors say why it can't be used."""
    content = _read(file)
    try:
        ending = _ending(PictureFile(file.name), content)
    except UnreadableImage:
        raise InputError(NOT_A_PICTURE, file=file) from None
    stem = _NOT_IN_A_NAME.sub("-", file.stem.lower()).strip("-") or "picture"
    return stem + ending, content


def _ending(picture: PictureFile, content: bytes) -> str:
    """Return the file extension for the content, after reading all of it."""
    check_picture(picture, content)
    if picture.is_schematic:
        return ".svg"
    kind = open_header(content).format or ""
    if kind not in _ENDINGS:
        raise UnreadableImage(UnreadableReason.NOT_AN_IMAGE)
    return _ENDINGS[kind]


NOT_A_PICTURE = (
    "This is not a complete PNG, JPEG or WebP picture or a plain SVG drawing. Choose another, or "
    "convert it."
)


def _read(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        if size > MAX_PICTURE_BYTES:
            raise InputError(
                f"The picture has {size / 1024 / 1024:.1f} MB; the limit is "
                f"{MAX_PICTURE_BYTES // 1024 // 1024} MB. Reduce its size.",
                file=file,
            )
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"The picture can't be read: {error.strerror}.", file=file) from error
