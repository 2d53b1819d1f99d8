"""The original behind a tile is found by what the tile shows, and never a wrong one."""

import pytest

from labeler.app.classes.reference_originals import OriginalReader
from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.core.study.entities import DatasetRole
from labeler.images.sheet_manifest import load_manifest

DOG = "n02085620"


@pytest.fixture
def refs(store, pictures, imported):
    folder = pictures("refs").fill(DOG, each=4)
    imported(store, "refs", folder.path, role=DatasetRole.REFERENCE)
    return folder


def test_each_tile_has_its_own_original(store, refs) -> None:
    prepare_sheets(store)
    sheet = load_manifest(store.folder.thumbnails, DOG)
    assert sheet is not None

    originals = OriginalReader(store)
    for number, image in enumerate(sheet.images):
        found = originals.read(DOG, number)
        assert found is not None
        assert found.data == (refs.path / image.key.partition("/")[2]).read_bytes()
        assert not found.apply_exif


def test_a_tile_after_one_that_could_not_be_drawn_still_has_its_own(store, refs) -> None:
    with store.read() as study:
        first, second, *_others = study.image_roles.references(DOG)
    first.path.unlink()
    prepare_sheets(store)

    found = OriginalReader(store).read(DOG, 0)

    assert found is not None
    assert found.data == second.path.read_bytes()


def test_a_file_that_changed_or_went_has_no_original(store, refs) -> None:
    prepare_sheets(store)
    with store.read() as study:
        changed, gone, *_others = study.image_roles.references(DOG)
    changed.path.write_bytes(b"something else")
    gone.path.unlink()

    originals = OriginalReader(store)

    assert originals.read(DOG, 0) is None
    assert originals.read(DOG, 1) is None
    assert originals.read(DOG, 2) is not None


def test_a_number_without_a_tile_and_a_class_without_a_sheet_have_none(store, refs) -> None:
    prepare_sheets(store)
    originals = OriginalReader(store)
    assert originals.read(DOG, 4) is None
    assert originals.read(DOG, -1) is None
    assert originals.read("n01440764", 0) is None


def test_an_original_from_a_dataset_that_follows_orientation_marks_says_so(
    store, pictures, imported
) -> None:
    folder = pictures("turned").fill(DOG, each=1)
    imported(store, "turned", folder.path, role=DatasetRole.REFERENCE, apply_exif=True)
    prepare_sheets(store)
    found = OriginalReader(store).read(DOG, 0)
    assert found is not None
    assert found.apply_exif
