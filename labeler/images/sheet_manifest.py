"""Read and write the manifests of contact sheets: which image is where on a sheet.

A window reads manifests before it paints the first class, so this module needs neither Pillow nor
NumPy.
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
# A JPEG decoder can scale every block of 8 pixels to any smaller whole number of pixels.
_STEPS = 8

SheetRect = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SheetSource:
    """An image on a contact sheet, identified by its key."""

    key: str
    path: Path
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class SheetImage:
    """The position of an image on a sheet as x, y, width and height, or an empty slot."""

    key: str
    content_hash: bytes
    rect: SheetRect
    problem: UnreadableReason | None


@dataclass(frozen=True, slots=True)
class ContactSheet:
    """The contact sheet of a class: its JPEG file and the positions of the images."""

    jpeg: Path
    jpeg_hash: bytes
    jpeg_bytes: int
    fingerprint: str
    images: tuple[SheetImage, ...]

    @property
    def sound_images(self) -> tuple[SheetImage, ...]:
        """Return the images that could be drawn; a panel shows these."""
        return tuple(image for image in self.images if image.problem is None)


def slot_size_for(width: int) -> int:
    """Return the smallest slot size, in pixels, at which a sheet has tiles of this width."""
    step = TILE_SIZE // _STEPS
    return max(step, min(TILE_SIZE, -(-width // step) * step))


def scaled_rect(rect: SheetRect, slot: int) -> SheetRect:
    """Return the position on a sheet decoded with this slot size, without shared pixels."""
    x, y, width, height = rect
    left, right = _own_pixels(x, width, slot)
    top, bottom = _own_pixels(y, height, slot)
    return left, top, right - left, bottom - top


def _own_pixels(start: int, length: int, slot: int) -> tuple[int, int]:
    first, end = -(-start * slot // TILE_SIZE), (start + length) * slot // TILE_SIZE
    return first, max(end, first + 1)


def jpeg_path(folder: Path, wnid: str) -> Path:
    """Return the path of a class's sheet."""
    return folder / f"{wnid}.jpg"


def manifest_path(folder: Path, wnid: str) -> Path:
    """Return the path of the manifest of a class's sheet."""
    return folder / f"{wnid}.json"


def load_manifest(folder: Path, wnid: str) -> ContactSheet | None:
    """Return the sheet of a class, or None if it is missing, damaged or doesn't match."""
    jpeg = jpeg_path(folder, wnid)
    try:
        sheet = manifest_from_json(manifest_path(folder, wnid).read_text(encoding="utf-8"), jpeg)
        return sheet if jpeg.stat().st_size == sheet.jpeg_bytes else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def sheet_fingerprint(sources: Iterable[SheetSource], *, apply_exif: bool) -> str:
    """Return a digest of everything that a sheet depends on."""
    parts: list[list[object]] = [[MANIFEST_VERSION, TILE_SIZE, SHEET_COLUMNS, apply_exif]]
    parts += [[source.key, source.content_hash.hex()] for source in sources]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def manifest_to_json(sheet: ContactSheet) -> str:
    """Return the text of the manifest."""
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
    """Parse a manifest; raise ValueError, KeyError or TypeError if it is damaged."""
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
