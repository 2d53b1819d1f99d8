"""A contact sheet shows its images whole, knows when it is stale, and survives a kill."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from labeler.core.errors import EnvironmentFault
from labeler.images.contact_sheets import (
    BACKGROUND,
    build_sheet,
    is_current,
    orphaned_files,
)
from labeler.images.decoder import decode_scaled
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import SheetSource, load_manifest, sheet_fingerprint
from labeler.images.unreadable import UnreadableReason

WNID = "n01440764"


def source(path: Path, key: str | None = None) -> SheetSource:
    return SheetSource(
        key=key or path.stem, path=path, content_hash=content_hash(path.read_bytes())
    )


@pytest.fixture
def sheets(tmp_path) -> Path:
    return tmp_path / "sheets"


@pytest.fixture
def sources(gallery) -> list[SheetSource]:
    sizes = [(500, 375), (200, 300), (60, 40), (128, 128)]
    return [source(gallery.photograph(f"{n}.JPEG", size=s)) for n, s in enumerate(sizes)]


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), dtype=int)


def test_each_image_is_fitted_and_centred_in_its_slot(sheets, sources):
    sheet = build_sheet(sheets, WNID, sources).sheet
    assert [image.rect for image in sheet.images] == [
        (0, 16, 128, 96),
        (128 + 21, 0, 85, 128),
        (256 + 34, 44, 60, 40),
        (384, 0, 128, 128),
    ]
    assert [image.key for image in sheet.images] == ["0", "1", "2", "3"]


def test_the_sheet_shows_the_images_on_neutral_grey(sheets, sources):
    sheet = build_sheet(sheets, WNID, sources).sheet
    drawn = pixels(sheet.jpeg)
    assert drawn.shape == (128, 1280, 3)
    for image, origin in zip(sheet.images, sources, strict=True):
        x, y, width, height = image.rect
        wanted = np.asarray(decode_scaled(origin.path, size=(128, 128)), dtype=int)
        assert np.abs(drawn[y : y + height, x : x + width] - wanted).mean() < 12
    assert np.abs(drawn[:, 520:] - BACKGROUND).max() <= 2


def test_images_fill_rows_of_ten(sheets, gallery):
    one = gallery.photograph(size=(128, 128))
    sheet = build_sheet(sheets, WNID, [source(one, key=str(n)) for n in range(21)]).sheet
    assert pixels(sheet.jpeg).shape == (3 * 128, 1280, 3)
    assert [image.rect[:2] for image in sheet.images][9:11] == [(9 * 128, 0), (0, 128)]
    assert sheet.images[20].rect == (0, 256, 128, 128)


def test_exif_rotation_is_drawn_when_the_dataset_asks_for_it(sheets, gallery):
    turned = [source(gallery.rotated(6))]
    assert build_sheet(sheets, WNID, turned).sheet.images[0].rect == (32, 48, 64, 32)
    assert not is_current(sheets, WNID, turned, apply_exif=True)
    upright = build_sheet(sheets, WNID, turned, apply_exif=True).sheet
    assert upright.images[0].rect == (48, 32, 32, 64)
    assert is_current(sheets, WNID, turned, apply_exif=True)


def test_a_built_sheet_is_current_and_loads_as_it_was_built(sheets, sources):
    assert load_manifest(sheets, WNID) is None
    assert not is_current(sheets, WNID, sources)
    result = build_sheet(sheets, WNID, sources)
    assert result.problems == ()
    assert is_current(sheets, WNID, sources)
    assert load_manifest(sheets, WNID) == result.sheet
    assert content_hash(result.sheet.jpeg.read_bytes()) == result.sheet.jpeg_hash
    assert orphaned_files(sheets, [WNID]) == []


def test_building_twice_gives_the_same_bytes(sheets, sources):
    build_sheet(sheets, WNID, sources)
    first = {path.name: path.read_bytes() for path in sheets.iterdir()}
    build_sheet(sheets, WNID, sources)
    assert {path.name: path.read_bytes() for path in sheets.iterdir()} == first


def test_the_manifest_says_what_is_where(sheets, sources):
    build_sheet(sheets, WNID, sources)
    manifest = json.loads((sheets / f"{WNID}.json").read_text())
    assert (manifest["version"], manifest["tile"], manifest["columns"]) == (1, 128, 10)
    assert manifest["images"][2] == {
        "key": "2",
        "hash": sources[2].content_hash.hex(),
        "rect": [290, 44, 60, 40],
    }


def test_a_sheet_is_stale_once_its_sources_differ(sheets, sources, gallery):
    build_sheet(sheets, WNID, sources)
    other = source(gallery.png(), key="0")
    assert not is_current(sheets, WNID, sources[::-1])
    assert not is_current(sheets, WNID, sources[:-1])
    assert not is_current(sheets, WNID, [other, *sources[1:]])


def test_a_class_without_images_has_an_empty_sheet(sheets):
    assert build_sheet(sheets, WNID, []).sheet.images == ()
    assert is_current(sheets, WNID, [])


def test_an_unreadable_source_leaves_a_plain_slot_and_is_reported(sheets, sources, gallery):
    broken = source(gallery.cut_short(gallery.photograph("x.JPEG", size=(200, 200))))
    gone = SheetSource(key="gone", path=gallery.folder / "gone.JPEG", content_hash=bytes(32))
    result = build_sheet(sheets, WNID, [broken, sources[0], gone])
    assert [(problem.source, problem.reason) for problem in result.problems] == [
        (broken, UnreadableReason.TRUNCATED),
        (gone, UnreadableReason.MISSING),
    ]
    assert result.sheet.images[0].rect == (0, 0, 128, 128)
    drawn = pixels(result.sheet.jpeg)
    # A JPEG's coarse colour may tint the row of pixels next to a neighbour.
    for left in (0, 256):
        assert np.abs(drawn[:, left + 1 : left + 127] - BACKGROUND).max() <= 2


def test_a_sheet_with_a_gap_loads_but_is_built_again_next_time(sheets, sources):
    away = sources[0].path.rename(sources[0].path.with_suffix(".away"))
    assert build_sheet(sheets, WNID, sources).problems
    loaded = load_manifest(sheets, WNID)
    assert loaded is not None
    assert loaded.images[0].problem is UnreadableReason.MISSING
    assert not is_current(sheets, WNID, sources)
    away.rename(sources[0].path)
    assert build_sheet(sheets, WNID, sources).problems == ()
    assert is_current(sheets, WNID, sources)


def test_a_source_that_changed_is_not_drawn_under_its_old_hash(sheets, sources, gallery):
    sources[0].path.write_bytes(gallery.png().read_bytes())
    (problem,) = build_sheet(sheets, WNID, sources).problems
    assert problem.reason is UnreadableReason.CHANGED


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        (r".*", ""),
        (r".*", "[]"),
        (r".*", '{"version":1}'),
        (r".*", "\udcff"),
        (r".{20}$", ""),
        (r'"version":1', '"version":0'),
        (r'"rect":\[0,16,128,96\]', '"rect":[0,16]'),
        (r'"images":\[', '"images":[[],'),
    ],
)
def test_a_damaged_manifest_counts_as_missing(sheets, sources, whole, damaged):
    build_sheet(sheets, WNID, sources)
    manifest = sheets / f"{WNID}.json"
    text = re.sub(whole, damaged, manifest.read_text(), count=1)
    manifest.write_text(text, errors="surrogateescape")
    assert load_manifest(sheets, WNID) is None
    assert not is_current(sheets, WNID, sources)


def test_a_manifest_or_picture_alone_counts_as_missing(sheets, sources):
    for name in (f"{WNID}.jpg", f"{WNID}.json"):
        build_sheet(sheets, WNID, sources)
        (sheets / name).unlink()
        assert load_manifest(sheets, WNID) is None
        assert not is_current(sheets, WNID, sources)


def test_a_picture_cut_short_makes_the_sheet_stale(sheets, sources):
    jpeg = build_sheet(sheets, WNID, sources).sheet.jpeg
    jpeg.write_bytes(jpeg.read_bytes()[:-10])
    assert not is_current(sheets, WNID, sources)


def test_a_kill_between_picture_and_manifest_leaves_a_stale_sheet(sheets, sources, tmp_path):
    build_sheet(sheets, WNID, sources[:2])
    build_sheet(tmp_path / "new", WNID, sources)
    (tmp_path / "new" / f"{WNID}.jpg").replace(sheets / f"{WNID}.jpg")
    assert load_manifest(sheets, WNID) is None
    assert not is_current(sheets, WNID, sources[:2])
    assert not is_current(sheets, WNID, sources)


def test_orphans_are_files_of_other_classes_and_leftovers(sheets, sources):
    build_sheet(sheets, WNID, sources)
    build_sheet(sheets, "n01443537", sources)
    leftover = sheets / f".{WNID}.jpg.0123.tmp"
    leftover.touch()
    assert orphaned_files(sheets, [WNID]) == [
        leftover,
        sheets / "n01443537.jpg",
        sheets / "n01443537.json",
    ]
    assert orphaned_files(sheets / "nowhere", [WNID]) == []


def test_a_folder_that_cannot_be_written_is_the_environments_fault(tmp_path, sources):
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentFault, match="can't be written"):
        build_sheet(tmp_path / "file" / "sheets", WNID, sources)


def test_a_failed_write_leaves_the_old_sheet_and_no_leftover(sheets, sources):
    (sheets / f"{WNID}.jpg").mkdir(parents=True)
    with pytest.raises(EnvironmentFault):
        build_sheet(sheets, WNID, sources)
    assert [path.name for path in sheets.iterdir()] == [f"{WNID}.jpg"]


@given(
    st.lists(st.tuples(st.text(max_size=5), st.binary(min_size=32, max_size=32)), max_size=4),
    st.lists(st.tuples(st.text(max_size=5), st.binary(min_size=32, max_size=32)), max_size=4),
)
def test_fingerprints_agree_exactly_when_the_ordered_sources_do(one, other):
    first, second = (
        sheet_fingerprint(
            [SheetSource(key, Path("x"), hash_) for key, hash_ in pairs], apply_exif=False
        )
        for pairs in (one, other)
    )
    assert (first == second) == (one == other)
