"""What a contact sheet's manifest says: which image is where, and whether it still holds.

A window reads manifests before its first class is painted: neither Pillow nor NumPy is needed here.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labeler.images.unreadable import UnreadableReason

MANIFEST_VERSION = 1
TILE_SIZE = 128
SHEET_COLUMNS = 10
# A JPEG's decoder can shrink every block of 8 pixels on its way to any whole number of them.
_STEPS = 8

SheetRect = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SheetSource:
    """An image that a contact sheet shows, known to its readers by the key."""

    key: str
    path: Path
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class SheetImage:
    """One image's place on a sheet as x, y, width and height; with a problem, a plain slot."""

    key: str
    content_hash: bytes
    rect: SheetRect
    problem: UnreadableReason | None


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """A class's contact sheet: its JPEG file and what is where on it."""

    jpeg: Path
    jpeg_hash: bytes
    jpeg_bytes: int
    fingerprint: str
    images: tuple[SheetImage, ...]

    @property
    def sound_images(self) -> tuple[SheetImage, ...]:
        """The images that could be drawn, which are those that a panel shows."""
        return tuple(image for image in self.images if image.problem is None)


def slot_size_for(width: int) -> int:
    """The smallest slot that a sheet can be decoded with for tiles so wide, in pixels."""
    step = TILE_SIZE // _STEPS
    return max(step, min(TILE_SIZE, -(-width // step) * step))


def scaled_rect(rect: SheetRect, slot: int) -> SheetRect:
    """A place on a sheet that was decoded with such slots: the pixels that are wholly its own."""
    x, y, width, height = rect
    left, right = _own_pixels(x, width, slot)
    top, bottom = _own_pixels(y, height, slot)
    return left, top, right - left, bottom - top


def _own_pixels(start: int, length: int, slot: int) -> tuple[int, int]:
    first, end = -(-start * slot // TILE_SIZE), (start + length) * slot // TILE_SIZE
    return first, max(end, first + 1)


def jpeg_path(folder: Path, wnid: str) -> Path:
    """Where a class's sheet is."""
    return folder / f"{wnid}.jpg"


def manifest_path(folder: Path, wnid: str) -> Path:
    """Where the manifest of a class's sheet is."""
    return folder / f"{wnid}.json"


def load_manifest(folder: Path, wnid: str) -> ContactSheet | None:
    """A class's sheet, or None where it is missing, damaged or at odds with its picture."""
    jpeg = jpeg_path(folder, wnid)
    try:
        sheet = manifest_from_json(manifest_path(folder, wnid).read_text(encoding="utf-8"), jpeg)
        return sheet if jpeg.stat().st_size == sheet.jpeg_bytes else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def sheet_fingerprint(sources: Iterable[SheetSource], *, apply_exif: bool) -> str:
    """A digest of everything that a sheet's picture and manifest depend on."""
    parts: list[list[object]] = [[MANIFEST_VERSION, TILE_SIZE, SHEET_COLUMNS, apply_exif]]
    parts += [[source.key, source.content_hash.hex()] for source in sources]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def manifest_to_json(sheet: ContactSheet) -> str:
    """The manifest's text."""
    document = {
        "version": MANIFEST_VERSION,
        "tile": TILE_SIZE,
        "columns": SHEET_COLUMNS,
        "fingerprint": sheet.fingerprint,
        "sheet": {"hash": sheet.jpeg_hash.hex(), "bytes": sheet.jpeg_bytes},
        "images": [_image_to_json(image) for image in sheet.images],
    }
    return json.dumps(document, separators=(",", ":"))


def manifest_from_json(text: str, jpeg: Path) -> ContactSheet:
    """Read a manifest's text; ValueError, KeyError or TypeError if it is damaged."""
    document = json.loads(text)
    if (document["version"], document["tile"], document["columns"]) != (
        MANIFEST_VERSION,
        TILE_SIZE,
        SHEET_COLUMNS,
    ):
        raise ValueError("the manifest describes another kind of sheet")
    return ContactSheet(
        jpeg=jpeg,
        jpeg_hash=bytes.fromhex(document["sheet"]["hash"]),
        jpeg_bytes=int(document["sheet"]["bytes"]),
        fingerprint=str(document["fingerprint"]),
        images=tuple(_image_from_json(image) for image in document["images"]),
    )


def _image_to_json(image: SheetImage) -> dict[str, Any]:
    document = {"key": image.key, "hash": image.content_hash.hex(), "rect": image.rect}
    return document if image.problem is None else {**document, "problem": image.problem}


def _image_from_json(document: dict[str, Any]) -> SheetImage:
    problem = document.get("problem")
    return SheetImage(
        key=str(document["key"]),
        content_hash=bytes.fromhex(document["hash"]),
        rect=_rect(document["rect"]),
        problem=None if problem is None else UnreadableReason(problem),
    )


def _rect(numbers: Sequence[int]) -> SheetRect:
    x, y, width, height = (int(number) for number in numbers)
    return x, y, width, height
