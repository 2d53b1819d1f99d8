"""A manifest is read before the first class is painted, so reading one must be light."""

import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import (
    TILE_SIZE,
    SheetSource,
    load_manifest,
    scaled_rect,
    slot_size_for,
)

WNID = "n01440764"

_READ = """
import sys
from pathlib import Path
from labeler.app.classes.references import load_sheet
loaded = load_sheet(Path(sys.argv[1]), sys.argv[2], decode=lambda file, slot: file.name)
print(loaded.sheet, len(loaded.tiles), sorted({"PIL", "numpy"} & set(sys.modules)))
"""


def source(path: Path) -> SheetSource:
    hashed = content_hash(path.read_bytes())
    return SheetSource(key=path.stem, path=path, content_hash=hashed)


def test_reading_a_sheets_manifest_needs_neither_pillow_nor_numpy(tmp_path, gallery):
    build_sheet(tmp_path, WNID, [source(gallery.photograph("a.JPEG", size=(64, 48)))])
    command = [sys.executable, "-c", _READ, str(tmp_path), WNID]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == f"{WNID}.jpg 1 []"


def test_the_sound_images_are_those_that_could_be_drawn(tmp_path, gallery):
    lost = SheetSource(key="lost", path=tmp_path / "lost.JPEG", content_hash=bytes(32))
    build_sheet(tmp_path, WNID, [lost, source(gallery.photograph("a.JPEG", size=(64, 48)))])
    sheet = load_manifest(tmp_path, WNID)
    assert sheet is not None
    assert [image.key for image in sheet.sound_images] == ["a"]


@given(width=st.integers(1, 600))
def test_a_slot_has_room_for_a_tile_up_to_what_is_stored(width: int) -> None:
    slot = slot_size_for(width)
    assert min(width, TILE_SIZE) <= slot <= TILE_SIZE
    assert slot - width < TILE_SIZE // 8
    assert slot * 8 % TILE_SIZE == 0


@given(
    x=st.integers(0, 9 * TILE_SIZE),
    y=st.integers(0, 20 * TILE_SIZE),
    width=st.integers(1, TILE_SIZE),
    height=st.integers(1, TILE_SIZE),
    eighths=st.integers(1, 8),
)
def test_a_shrunk_place_is_in_the_stored_one_and_leaves_less_than_a_pixel_of_it_out(
    x: int, y: int, width: int, height: int, eighths: int
) -> None:
    left, top, across, down = scaled_rect((x, y, width, height), eighths * TILE_SIZE // 8)
    for start, length, found, kept in ((x, width, left, across), (y, height, top, down)):
        assert kept >= 1
        assert 0 <= found - start * eighths / 8 < 1
        beyond = (start + length) * eighths / 8 - (found + kept)
        assert beyond < 1
        assert beyond >= 0 or kept == 1
