"""Contact sheets are decoded to the size at which they are painted, or said to be damaged."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtGui import QImage

from labeler.app.classes.references import DamagedSheet, load_sheet
from labeler.images.sheet_manifest import SHEET_COLUMNS, jpeg_path
from labeler.ui.kit.pictures.contact_sheet import decode_sheet
from tests.gui.reference_kit import BEAVER, write_sheet

GREEN = (20, 160, 60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "thumbnails"
    write_sheet(made, BEAVER, 12, GREEN)
    return made


@pytest.mark.parametrize("slot", range(16, 129, 16))
def test_every_pixel_of_a_tile_is_its_pictures(folder: Path, slot: int) -> None:
    loaded = load_sheet(folder, BEAVER, decode=decode_sheet, slot=slot)
    assert loaded is not None
    assert (loaded.sheet.width(), loaded.sheet.height()) == (SHEET_COLUMNS * slot, 2 * slot)
    assert loaded.sheet.format() is QImage.Format.Format_RGB32
    assert len(loaded.tiles) == 12
    for tile in loaded.tiles:
        corners = [(tile.x, tile.y), (tile.x + tile.width - 1, tile.y + tile.height - 1)]
        for x, y in corners:
            colour = loaded.sheet.pixelColor(x, y)
            colours = (colour.red(), colour.green(), colour.blue())
            assert all(abs(one - other) < 12 for one, other in zip(colours, GREEN, strict=True))
            assert colour.alpha() == 255


def test_a_sheet_that_ends_too_soon_is_damaged(folder: Path) -> None:
    file = jpeg_path(folder, BEAVER)
    file.write_bytes(file.read_bytes()[:-400])
    with pytest.raises(DamagedSheet):
        decode_sheet(file, 96)


def test_a_sheet_that_is_no_picture_is_damaged(folder: Path) -> None:
    jpeg_path(folder, BEAVER).write_bytes(b"no picture")
    with pytest.raises(DamagedSheet):
        decode_sheet(jpeg_path(folder, BEAVER))


def test_a_picture_of_another_width_is_no_sheet(folder: Path) -> None:
    Image.new("RGB", (500, 375)).save(jpeg_path(folder, BEAVER))
    with pytest.raises(DamagedSheet):
        decode_sheet(jpeg_path(folder, BEAVER))


def test_a_sheet_that_is_gone_is_damaged(folder: Path) -> None:
    with pytest.raises(DamagedSheet):
        decode_sheet(folder / "gone.jpg")
