"""Contact sheets are built once, rebuilt where the source changed, and removed when orphaned."""

from dataclasses import replace

import pytest

from labeler.app.datasets.contact_sheets import ReplacedReferences, SheetsReport, prepare_sheets
from labeler.core.errors import EnvironmentFault
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.images.sheet_manifest import load_manifest
from labeler.images.unreadable import UnreadableReason

FISH, SHARK, DOG = "n01440764", "n01491361", "n02085620"


def add_references(store, imported, folder, name: str = "refs", **options: object) -> None:
    imported(store, name, folder.path, role=DatasetRole.REFERENCE, **options)


@pytest.fixture
def refs(store, pictures, imported):
    folder = pictures("refs").fill(FISH, SHARK, DOG, each=3)
    add_references(store, imported, folder)
    return folder


def written(store) -> dict[str, tuple[int, int]]:
    """Every contact sheet's file with its inode and the time when it was written."""
    files = store.folder.thumbnails.glob("n*")
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in files}


def test_every_class_gets_its_sheet_with_its_images_in_the_order_of_the_panel(store, refs) -> None:
    report = prepare_sheets(store)
    assert replace(report, bare=0) == SheetsReport(3, 0, (), True)
    assert report.bare == len(store.taxonomy.class_wnids) - 3

    for wnid in (FISH, SHARK, DOG):
        sheet = load_manifest(store.folder.thumbnails, wnid)
        assert sheet is not None
        with store.read() as study:
            panel = study.image_roles.references(wnid)
        assert [image.key for image in sheet.images] == [f"refs/{r.key.image}" for r in panel]
        assert len(panel) == 3


def test_a_second_run_builds_and_touches_nothing(store, refs) -> None:
    prepare_sheets(store)
    before = written(store)

    report = prepare_sheets(store)

    assert (report.built, report.current, report.finished) == (0, 3, True)
    assert written(store) == before


def test_other_references_of_a_class_rebuild_its_sheet_only(
    store, refs, pictures, imported
) -> None:
    prepare_sheets(store)
    before = written(store)
    add_references(store, imported, pictures("better").fill(DOG, each=2), "better")

    report = prepare_sheets(store)

    assert (report.built, report.current) == (1, 2)
    assert report.replaced == ((ReplacedReferences("refs", "better"), 1),)
    changed = {name for name, state in written(store).items() if before[name] != state}
    assert changed == {f"{DOG}.jpg", f"{DOG}.json"}


@pytest.mark.parametrize("damage", ["unlink", "truncate"])
def test_a_damaged_sheet_is_built_again_alone(store, refs, damage) -> None:
    prepare_sheets(store)
    sheet = store.folder.thumbnails / f"{SHARK}.jpg"
    if damage == "unlink":
        sheet.unlink()
    else:
        sheet.write_bytes(sheet.read_bytes()[:100])

    assert prepare_sheets(store).built == 1
    assert prepare_sheets(store).built == 0


def test_what_belongs_to_no_class_is_removed(store, refs) -> None:
    prepare_sheets(store)
    before = set(written(store))
    for name in ("n99999999.jpg", "n99999999.json", f".{DOG}.jpg.0123.tmp"):
        (store.folder.thumbnails / name).touch()

    prepare_sheets(store)

    assert set(written(store)) == before


def test_a_folder_that_a_file_server_put_there_is_left_alone(store, refs) -> None:
    prepare_sheets(store)
    (store.folder.thumbnails / "@eaDir" / "inside").mkdir(parents=True)

    assert prepare_sheets(store).finished
    assert (store.folder.thumbnails / "@eaDir" / "inside").is_dir()


def test_a_file_in_the_place_of_the_thumbnails_is_reported(store, refs) -> None:
    store.folder.thumbnails.write_text("in the way")

    with pytest.raises(EnvironmentFault, match="can't be changed"):
        prepare_sheets(store)


def test_a_reference_that_is_gone_or_changed_is_reported_and_shown_once_it_is_back(
    store, refs
) -> None:
    gone, changed = refs.path / DOG / "0.JPEG", refs.path / DOG / "1.JPEG"
    contents = gone.read_bytes(), changed.read_bytes()
    gone.unlink()
    refs.add(f"{DOG}/1.JPEG", picture="something else")

    report = prepare_sheets(store)

    assert set(report.problems) == {
        (ImageKey("refs", f"{DOG}/0.JPEG"), UnreadableReason.MISSING),
        (ImageKey("refs", f"{DOG}/1.JPEG"), UnreadableReason.CHANGED),
    }
    for file, data in zip((gone, changed), contents, strict=True):
        file.write_bytes(data)
    mended = prepare_sheets(store)
    assert (mended.built, mended.current, mended.problems) == (1, 2, ())


def test_a_file_that_changes_after_its_sheet_was_built_is_noticed_and_told(store, refs) -> None:
    prepare_sheets(store)
    changed = refs.path / DOG / "1.JPEG"
    contents = changed.read_bytes()
    refs.add(f"{DOG}/1.JPEG", picture="something else")

    report = prepare_sheets(store)

    assert (report.built, report.current) == (1, 2)
    assert report.problems == ((ImageKey("refs", f"{DOG}/1.JPEG"), UnreadableReason.CHANGED),)
    changed.write_bytes(contents)
    assert prepare_sheets(store).problems == ()
    assert prepare_sheets(store).current == 3


def test_a_cancelled_run_says_so_and_the_next_continues(store, refs) -> None:
    questions = iter([False, True, True])

    first = prepare_sheets(store, cancelled=lambda: next(questions))
    second = prepare_sheets(store)

    assert (first.built, first.finished) == (1, False)
    assert (second.built, second.current, second.finished) == (2, 1, True)


def test_many_classes_are_all_built(store, pictures, imported) -> None:
    wnids = store.taxonomy.class_wnids[:25]
    add_references(store, imported, pictures("many").fill(*wnids, each=1))

    assert prepare_sheets(store).built == 25
    assert len(written(store)) == 50


def test_a_study_without_references_has_nothing_to_prepare(store) -> None:
    assert replace(prepare_sheets(store), bare=0) == SheetsReport(0, 0, (), True)
