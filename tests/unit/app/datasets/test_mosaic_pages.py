"""Mosaic pages are made with the contact sheets, resumed, checked, and made again when outdated."""

import pytest
from PIL import Image

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.study.check import StudyProblem, check_study
from labeler.core.study.entities import DatasetRole
from labeler.images.mosaic_pages import (
    PAGE_COLUMNS,
    TILE_HEIGHT,
    TILE_WIDTH,
    is_page_current,
    load_page,
    mosaic_folder,
    pages_of,
)
from labeler.images.sheet_manifest import jpeg_path

FISH, SHARK, DOG = "n01440764", "n01491361", "n02085620"


@pytest.fixture
def ready(store, pictures, imported):
    folder = pictures("refs").fill(FISH, SHARK, DOG, each=3)
    imported(store, "refs", folder.path, role=DatasetRole.REFERENCE)
    prepare_sheets(store)
    return store


def every_page(store):
    folder = store.folder.thumbnails
    pages = enumerate(pages_of(store.taxonomy.class_wnids))
    return [load_page(folder, number, wnids) for number, wnids in pages]


def stamps(store) -> dict[str, int]:
    files = mosaic_folder(store.folder.thumbnails).iterdir()
    return {file.name: file.stat().st_mtime_ns for file in files}


def stale(store) -> int:
    found = check_study(store.folder.path, clock=store.clock, contents=False)
    return sum(finding.problem is StudyProblem.STALE_SHEET for finding in found)


def test_each_class_has_a_slot_and_those_with_references_a_picture(ready) -> None:
    pages = every_page(ready)
    assert all(pages)
    slots = [entry.wnid for page in pages for entry in page.classes]
    assert tuple(slots) == ready.taxonomy.class_wnids
    pictured = [e.wnid for page in pages for e in page.classes if e.sheet_hash is not None]
    assert pictured == sorted((FISH, SHARK, DOG))
    assert [sum(page.pictured) for page in pages] == [
        len({FISH, SHARK, DOG} & {entry.wnid for entry in page.classes}) for page in pages
    ]


def test_a_slot_shows_the_classs_first_reference(ready) -> None:
    page = every_page(ready)[0]
    slot = [entry.wnid for entry in page.classes].index(FISH)
    row, column = divmod(slot, PAGE_COLUMNS)
    middle = (column * TILE_WIDTH + TILE_WIDTH // 2, row * TILE_HEIGHT + TILE_HEIGHT // 2)
    sheet = Image.open(jpeg_path(ready.folder.thumbnails, FISH)).convert("RGB")
    shown = Image.open(page.jpeg).convert("RGB").getpixel(middle)
    assert max(abs(a - b) for a, b in zip(shown, sheet.getpixel((64, 64)), strict=True)) < 40


def test_current_pages_are_not_made_again(ready) -> None:
    before = stamps(ready)
    prepare_sheets(ready)
    assert stamps(ready) == before
    assert stale(ready) == 0


def test_a_damaged_page_is_found_and_made_again(ready) -> None:
    page = every_page(ready)[0]
    data = bytearray(page.jpeg.read_bytes())
    data[len(data) // 2] ^= 0xFF
    page.jpeg.write_bytes(data)
    wnids = pages_of(ready.taxonomy.class_wnids)[0]
    assert not is_page_current(ready.folder.thumbnails, 0, wnids)
    assert stale(ready) == 1
    prepare_sheets(ready)
    assert stale(ready) == 0


def test_a_page_of_other_sheets_is_outdated(ready, pictures, imported) -> None:
    better = pictures("better").fill(DOG, each=2)
    imported(ready, "better", better.path, role=DatasetRole.REFERENCE)
    before = stamps(ready)
    prepare_sheets(ready)
    changed = {name for name, stamp in stamps(ready).items() if before[name] != stamp}
    page = next(n for n, w in enumerate(pages_of(ready.taxonomy.class_wnids)) if DOG in w)
    assert changed == {f"{page:04}.jpg", f"{page:04}.json"}


def test_what_belongs_to_no_page_is_removed(ready) -> None:
    stray = mosaic_folder(ready.folder.thumbnails) / "9999.jpg"
    stray.write_bytes(b"left over")
    prepare_sheets(ready)
    assert not stray.exists()


def test_making_the_pages_can_be_cancelled_and_resumed(ready) -> None:
    for file in mosaic_folder(ready.folder.thumbnails).iterdir():
        file.unlink()
    asked = iter([*[False] * 4, True])
    report = prepare_sheets(ready, cancelled=lambda: next(asked, True))
    assert not report.finished
    assert any(every_page(ready))
    assert not all(every_page(ready))
    assert prepare_sheets(ready).finished
    assert all(every_page(ready))
