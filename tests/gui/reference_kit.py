"""Contact sheets and panels for the tests of whatever shows reference images."""

from pathlib import Path

from PIL import Image
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.classes.references import (
    LoadedSheet,
    ReferencesState,
    ReferencesView,
    TileRect,
)
from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import SHEET_COLUMNS, TILE_SIZE, SheetSource

BEAVER, MARMOT, TIGER, OTTER, BADGER = (
    "n02363005",
    "n02361337",
    "n02129604",
    "n02444819",
    "n02447366",
)


def write_sheet(folder: Path, wnid: str, count: int, colour: tuple[int, int, int]) -> None:
    """A real contact sheet of plain pictures, made from files with tell-tale names."""
    folder.mkdir(exist_ok=True)
    sources = []
    for number in range(count):
        file = folder.parent / f"blabbing_{wnid}_{number}.png"
        Image.new("RGB", (160, 120), colour).save(file)
        hashed = content_hash(file.read_bytes())
        sources.append(SheetSource(key=f"snitch_{number}", path=file, content_hash=hashed))
    build_sheet(folder, wnid, sources)


def plain_sheet(count: int, colour: str, *, slot: int = TILE_SIZE) -> LoadedSheet[QImage]:
    """A decoded sheet of plain pictures, three quarters as high as wide."""
    rows = -(-count // SHEET_COLUMNS)
    image = QImage(SHEET_COLUMNS * slot, rows * slot, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    places = [divmod(number, SHEET_COLUMNS) for number in range(count)]
    edge = slot // 8
    tiles = tuple(TileRect(x * slot, y * slot + edge, slot, slot - 2 * edge) for y, x in places)
    return LoadedSheet(sheet=image, tiles=tiles, slot=slot)


def ready(wnid: str, count: int, colour: str, *, slot: int = TILE_SIZE) -> ReferencesView[QImage]:
    loaded = plain_sheet(count, colour, slot=slot)
    return ReferencesView(ReferencesState.READY, wnid, loaded=loaded)


def said(widget: QWidget) -> list[str]:
    """Everything that a person or a screen reader could get to know from a widget."""
    texts = []
    for part in (widget, *widget.findChildren(QWidget)):
        texts += [part.accessibleName(), part.accessibleDescription(), part.toolTip()]
        text = getattr(part, "text", None)
        texts.append(text() if callable(text) else "")
    return [text for text in texts if text]


def focused(widget: QWidget) -> bool:
    return QApplication.focusWidget() is widget
