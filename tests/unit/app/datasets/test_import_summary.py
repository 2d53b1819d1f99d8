"""What a lead reads after an import: what was left out and why, in words for one and for many."""

import pytest

from labeler.app.datasets.contact_sheets import ReplacedReferences, SheetsReport
from labeler.app.datasets.import_summary import report_lines
from labeler.core.study.entities import DatasetRole
from labeler.images.unreadable import UnreadableReason
from tests.unit.app.conftest import DOG, FISH


def summary_lines(store, report) -> list[str]:
    return list(report_lines(report, None, names=store.taxonomy.display_names))


def test_what_is_left_out_is_reported_with_its_reason(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=1)
    folder.write(f"{FISH}/empty.JPEG", b"")
    (folder.path / FISH / "more").mkdir()

    lines = summary_lines(store, imported(store, "val", folder.path))

    assert f"Skipped 1 file {UnreadableReason.EMPTY.fragment}: {FISH}/empty.JPEG" in lines
    assert f"Skipped 1 folder of another type: {FISH}/more" in lines


def test_the_class_with_the_fewest_references_is_named(store, pictures, imported) -> None:
    folder = pictures("refs").fill(FISH, each=3)
    folder.fill(DOG, each=2)

    report = imported(store, "refs", folder.path, role=DatasetRole.REFERENCE, per_class=4)

    name = store.taxonomy.display_names[DOG]
    assert summary_lines(store, report)[-1] == (
        f"2 classes had fewer than 4 images; the fewest: {name} with 2."
    )


@pytest.mark.parametrize(("files", "noted"), [(1, "1 file"), (2, "2 files")])
def test_files_under_a_wrong_extension_are_reported_for_one_and_for_many(
    store, pictures, imported, files, noted
) -> None:
    folder = pictures("val").fill(FISH, each=1)
    for number in range(files):
        folder.add(f"{FISH}/wrong{number}.png")

    lines = summary_lines(store, imported(store, "val", folder.path))

    assert f"Noted {noted} in another format than the file name says: {FISH}/wrong0.png" in lines[1]


def test_a_class_without_its_only_reference_is_reported(store, pictures, imported) -> None:
    folder = pictures("refs").fill(FISH, each=1)
    folder.write(f"{DOG}/0.JPEG", b"")

    report = imported(store, "refs", folder.path, role=DatasetRole.REFERENCE, per_class=1)

    name = store.taxonomy.display_names[DOG]
    assert (
        summary_lines(store, report)[-1]
        == f"1 class had fewer than 1 image; the fewest: {name} with 0."
    )


@pytest.mark.parametrize(
    ("built", "current", "sentence"),
    [
        (1, 1, "Reference images: 1 class prepared, 1 already up to date."),
        (2, 2, "Reference images: 2 classes prepared, 2 already up to date."),
        (1, 0, "Reference images: 1 class prepared."),
    ],
)
def test_reference_panels_are_counted_for_one_and_for_many(built, current, sentence) -> None:
    sheets = SheetsReport(built=built, current=current, problems=(), finished=True)
    assert list(report_lines(None, sheets, names={})) == [sentence]


def test_pictures_that_occur_twice_are_counted(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=2)
    picture = (folder.path / FISH / "0.JPEG").read_bytes()
    folder.write(f"{FISH}/again.JPEG", picture)

    lines = summary_lines(store, imported(store, "val", folder.path))

    assert lines[-1].startswith("1 image is a duplicate, for example ")


def test_a_second_folder_of_references_says_what_it_took_the_place_of() -> None:
    swaps = ((ReplacedReferences("old", "new"), 40), (ReplacedReferences("older", "new"), 1))
    sheets = SheetsReport(built=41, current=0, problems=(), finished=True, replaced=swaps, bare=800)

    assert list(report_lines(None, sheets, names={}))[1:] == [
        "40 classes now show the reference images of new instead of those of old.",
        "1 class now shows the reference images of new instead of those of older.",
        "800 classes of the study have no reference images.",
    ]
