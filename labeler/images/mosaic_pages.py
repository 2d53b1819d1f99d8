"""Mosaic pages: one small picture of each class, many classes to a file, for the class map.

A page is made from the contact sheets of its classes. Its manifest says which sheets it shows, so
that a page is made again only when one of them has changed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from labeler.images.atomic_write import write_atomically
from labeler.images.contact_sheets import BACKGROUND
from labeler.images.decoder import decode
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import ContactSheet, SheetRect, jpeg_path, load_manifest
from labeler.images.unreadable import UnreadableImage

PAGE_COLUMNS = 16
CLASSES_PER_PAGE = PAGE_COLUMNS * PAGE_COLUMNS
# Whole JPEG blocks, also when a decoder scales the page down to a half or a quarter.
TILE_WIDTH, TILE_HEIGHT = 96, 72
_VERSION = 1
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class PageClass:
    """A class on a page: the hash and size of its contact sheet, or None if it has no picture."""

    wnid: str
    sheet_hash: str | None
    sheet_bytes: int


@dataclass(frozen=True, slots=True)
class MosaicPage:
    """A page: its JPEG file and the classes in its slots, row by row."""

    jpeg: Path
    jpeg_hash: str
    jpeg_bytes: int
    classes: tuple[PageClass, ...]

    @property
    def pictured(self) -> tuple[bool, ...]:
        """Whether each slot has a picture."""
        return tuple(entry.sheet_hash is not None for entry in self.classes)


@dataclass(frozen=True, slots=True)
class BuiltPage:
    """A page and the bytes of its JPEG file."""

    page: MosaicPage
    jpeg: bytes


def pages_of(wnids: Sequence[str]) -> list[tuple[str, ...]]:
    """Divide the classes of a taxonomy into pages, in their order."""
    starts = range(0, len(wnids), CLASSES_PER_PAGE)
    return [tuple(wnids[start : start + CLASSES_PER_PAGE]) for start in starts]


def mosaic_folder(folder: Path) -> Path:
    """Return the folder of the pages, inside that of the contact sheets."""
    return folder / "mosaic"


def build_page(folder: Path, number: int, wnids: Sequence[str]) -> BuiltPage:
    """Draw a page from the contact sheets that are there, without writing it."""
    rows = -(-len(wnids) // PAGE_COLUMNS)
    canvas = Image.new("RGB", (PAGE_COLUMNS * TILE_WIDTH, rows * TILE_HEIGHT), BACKGROUND)
    classes = tuple(_draw(canvas, slot, folder, wnid) for slot, wnid in enumerate(wnids))
    buffer = BytesIO()
    canvas.save(buffer, format="JPEG", quality=_QUALITY)
    jpeg = buffer.getvalue()
    page = MosaicPage(_jpeg(folder, number), content_hash(jpeg).hex(), len(jpeg), classes)
    return BuiltPage(page, jpeg)


def write_page(folder: Path, number: int, built: BuiltPage) -> None:
    """Replace a page's files; raise EnvironmentFault if that fails."""
    # The manifest is written last: until then the new picture doesn't match it.
    write_atomically(built.page.jpeg, built.jpeg)
    write_atomically(_manifest(folder, number), _to_json(built.page).encode())


def load_page(folder: Path, number: int, wnids: Sequence[str]) -> MosaicPage | None:
    """Return a page if it is complete and shows today's contact sheets, by their sizes."""
    page = _stored_page(folder, number)
    if page is None or [entry.wnid for entry in page.classes] != list(wnids):
        return None
    return page if all(_same_size(folder, entry) for entry in page.classes) else None


def is_page_current(folder: Path, number: int, wnids: Sequence[str]) -> bool:
    """Return whether a page is undamaged and shows today's contact sheets, by their hashes."""
    page = load_page(folder, number, wnids)
    try:
        return (
            page is not None
            and content_hash(page.jpeg.read_bytes()).hex() == page.jpeg_hash
            and all(_same_sheet(folder, entry) for entry in page.classes)
        )
    except OSError:
        return False


def leftover_pages(folder: Path, count: int) -> list[Path]:
    """Return files that belong to none of the first `count` pages."""
    pages = mosaic_folder(folder)
    if not pages.is_dir():
        return []
    wanted = {_jpeg(folder, number) for number in range(count)}
    wanted |= {_manifest(folder, number) for number in range(count)}
    return sorted(path for path in pages.iterdir() if path not in wanted and not path.is_dir())


def _draw(canvas: Image.Image, slot: int, folder: Path, wnid: str) -> PageClass:
    sheet = load_manifest(folder, wnid)
    picture = None if sheet is None else _first_picture(sheet)
    if sheet is None or picture is None:
        return PageClass(wnid, None, _size_of(folder, wnid))
    row, column = divmod(slot, PAGE_COLUMNS)
    canvas.paste(picture, (column * TILE_WIDTH, row * TILE_HEIGHT))
    return PageClass(wnid, sheet.jpeg_hash.hex(), sheet.jpeg_bytes)


def _first_picture(sheet: ContactSheet) -> Image.Image | None:
    """Return the first reference that could be drawn, cropped to the shape of a tile."""
    first = next(iter(sheet.sound_images), None)
    if first is None:
        return None
    try:
        pixels = decode(sheet.jpeg)
    except UnreadableImage:
        return None
    return pixels.resize(
        (TILE_WIDTH, TILE_HEIGHT), Image.Resampling.HAMMING, box=_cover(first.rect)
    )


def _cover(rect: SheetRect) -> tuple[float, float, float, float]:
    """Return the middle part of a rectangle that has the shape of a tile."""
    x, y, width, height = rect
    scale = min(width / TILE_WIDTH, height / TILE_HEIGHT)
    across, down = TILE_WIDTH * scale, TILE_HEIGHT * scale
    left, top = x + (width - across) / 2, y + (height - down) / 2
    return left, top, left + across, top + down


def _size_of(folder: Path, wnid: str) -> int:
    try:
        return jpeg_path(folder, wnid).stat().st_size
    except OSError:
        return 0


def _same_size(folder: Path, entry: PageClass) -> bool:
    return _size_of(folder, entry.wnid) == entry.sheet_bytes


def _same_sheet(folder: Path, entry: PageClass) -> bool:
    sheet = load_manifest(folder, entry.wnid)
    return (sheet.jpeg_hash.hex() if sheet and sheet.sound_images else None) == entry.sheet_hash


def _jpeg(folder: Path, number: int) -> Path:
    return mosaic_folder(folder) / f"{number:04}.jpg"


def _manifest(folder: Path, number: int) -> Path:
    return mosaic_folder(folder) / f"{number:04}.json"


def _stored_page(folder: Path, number: int) -> MosaicPage | None:
    jpeg = _jpeg(folder, number)
    try:
        page = _from_json(_manifest(folder, number).read_text(encoding="utf-8"), jpeg)
        return page if jpeg.stat().st_size == page.jpeg_bytes else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _to_json(page: MosaicPage) -> str:
    document = {
        "version": _VERSION,
        "tile": [TILE_WIDTH, TILE_HEIGHT],
        "columns": PAGE_COLUMNS,
        "page": {"hash": page.jpeg_hash, "bytes": page.jpeg_bytes},
        "classes": [[entry.wnid, entry.sheet_hash, entry.sheet_bytes] for entry in page.classes],
    }
    return json.dumps(document, separators=(",", ":"))


def _from_json(text: str, jpeg: Path) -> MosaicPage:
    document = json.loads(text)
    kind = (document["version"], document["tile"], document["columns"])
    if kind != (_VERSION, [TILE_WIDTH, TILE_HEIGHT], PAGE_COLUMNS):
        raise ValueError("the manifest describes another kind of page")
    classes = tuple(
        PageClass(str(wnid), hashed and str(hashed), int(size))
        for wnid, hashed, size in document["classes"]
    )
    stored = document["page"]
    return MosaicPage(jpeg, str(stored["hash"]), int(stored["bytes"]), classes)
