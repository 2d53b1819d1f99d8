"""Build one JPEG per class with all its reference images, so that a panel loads one file."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from labeler.core.datasets.image_file import ImageFile
from labeler.images.atomic_write import write_atomically
from labeler.images.decoder import decode_scaled
from labeler.images.file_reader import content_hash, is_packed, read_known_file
from labeler.images.sheet_manifest import (
    SHEET_COLUMNS,
    TILE_SIZE,
    ContactSheet,
    SheetImage,
    SheetRect,
    SheetSource,
    jpeg_path,
    load_manifest,
    manifest_path,
    manifest_to_json,
    sheet_fingerprint,
)
from labeler.images.unreadable import UnreadableImage, UnreadableReason

BACKGROUND = (128, 128, 128)
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """A source that couldn't be drawn, and why."""

    source: SheetSource
    reason: UnreadableReason


@dataclass(frozen=True, slots=True)
class SheetResult:
    """A sheet that was built, and the sources that couldn't be drawn."""

    sheet: ContactSheet
    problems: tuple[SheetProblem, ...]


def build_sheet(
    folder: Path, wnid: str, sources: Sequence[SheetSource], *, apply_exif: bool = False
) -> SheetResult:
    """Draw the sheet of a class and replace the existing one."""
    canvas = _blank_canvas(len(sources))
    images = tuple(
        _draw(canvas, slot, source, apply_exif=apply_exif) for slot, source in enumerate(sources)
    )
    jpeg = _encoded(canvas)
    sheet = ContactSheet(
        jpeg=jpeg_path(folder, wnid),
        jpeg_hash=content_hash(jpeg),
        jpeg_bytes=len(jpeg),
        fingerprint=sheet_fingerprint(sources, apply_exif=apply_exif),
        images=images,
    )
    # The manifest is written last: until then a new picture doesn't match it and counts as stale.
    write_atomically(sheet.jpeg, jpeg)
    write_atomically(manifest_path(folder, wnid), manifest_to_json(sheet).encode())
    return SheetResult(sheet=sheet, problems=_problems(sources, images))


def is_current(
    folder: Path, wnid: str, sources: Iterable[SheetSource], *, apply_exif: bool = False
) -> bool:
    """Return whether a complete sheet exists and shows exactly these sources."""
    sheet = load_manifest(folder, wnid)
    return (
        sheet is not None
        and sheet.fingerprint == sheet_fingerprint(sources, apply_exif=apply_exif)
        and all(image.problem is None for image in sheet.images)
    )


def is_outdated(folder: Path, wnid: str, sources: Iterable[SheetSource]) -> bool:
    """Return whether a source's file was changed or removed after the sheet was built."""
    try:
        built = manifest_path(folder, wnid).stat().st_mtime_ns
        files = (source.path for source in sources if not is_packed(source.path))
        return any(file.stat().st_mtime_ns > built for file in files)
    except OSError:
        return True


def orphaned_files(folder: Path, wanted_wnids: Collection[str]) -> list[Path]:
    """Return files that belong to no wanted sheet, including those of interrupted writes."""
    if not folder.is_dir():
        return []
    wanted = {jpeg_path(folder, wnid) for wnid in wanted_wnids}
    wanted |= {manifest_path(folder, wnid) for wnid in wanted_wnids}
    return sorted(path for path in folder.iterdir() if path not in wanted)


def _draw(canvas: Image.Image, slot: int, source: SheetSource, *, apply_exif: bool) -> SheetImage:
    left, top = slot % SHEET_COLUMNS * TILE_SIZE, slot // SHEET_COLUMNS * TILE_SIZE
    try:
        picture = _picture(source, apply_exif=apply_exif)
    except UnreadableImage as problem:
        return _placed(source, (left, top, TILE_SIZE, TILE_SIZE), problem.reason)
    x, y = left + (TILE_SIZE - picture.width) // 2, top + (TILE_SIZE - picture.height) // 2
    canvas.paste(picture, (x, y))
    return _placed(source, (x, y, picture.width, picture.height), None)


def _picture(source: SheetSource, *, apply_exif: bool) -> Image.Image:
    # Other pixels under the old hash would always count as current.
    data = read_known_file(ImageFile(source.path, content_hash=source.content_hash))
    return decode_scaled(data, size=(TILE_SIZE, TILE_SIZE), apply_exif=apply_exif)


def _placed(source: SheetSource, rect: SheetRect, problem: UnreadableReason | None) -> SheetImage:
    return SheetImage(key=source.key, content_hash=source.content_hash, rect=rect, problem=problem)


def _problems(
    sources: Sequence[SheetSource], images: Sequence[SheetImage]
) -> tuple[SheetProblem, ...]:
    return tuple(
        SheetProblem(source=source, reason=image.problem)
        for source, image in zip(sources, images, strict=True)
        if image.problem is not None
    )


def _blank_canvas(count: int) -> Image.Image:
    rows = max(1, -(-count // SHEET_COLUMNS))
    return Image.new("RGB", (SHEET_COLUMNS * TILE_SIZE, rows * TILE_SIZE), BACKGROUND)


def _encoded(canvas: Image.Image) -> bytes:
    buffer = BytesIO()
    # Tiles are whole JPEG blocks, so a neighbour's colour affects at most one row of pixels.
    canvas.save(buffer, format="JPEG", quality=_QUALITY)
    return buffer.getvalue()
