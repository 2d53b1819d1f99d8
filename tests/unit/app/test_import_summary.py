"""What a lead reads after an import: what was left out and why, in words for one and for many."""

from labeler.app.import_summary import report_lines
from labeler.core.study import DatasetRole
from tests.unit.app.conftest import DOG, FISH


def told(store, report) -> list[str]:
    return list(report_lines(report, None, names=store.taxonomy.display_names))


def test_what_is_left_out_is_told_with_its_reason(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=1)
    folder.write(f"{FISH}/empty.JPEG", b"")
    (folder.path / FISH / "more").mkdir()

    lines = told(store, imported(store, "val", folder.path))

    assert f"Left out 1 file that held nothing (0 bytes): {FISH}/empty.JPEG" in lines
    assert f"Left out 1 folder of another kind: {FISH}/more" in lines


def test_the_class_with_the_fewest_references_is_named(store, pictures, imported) -> None:
    folder = pictures("refs").fill(FISH, each=3)
    folder.fill(DOG, each=2)

    report = imported(store, "refs", folder.path, role=DatasetRole.REFERENCE, per_class=4)

    name = store.taxonomy.display_names[DOG]
    assert told(store, report)[-1] == (
        f"2 classes had fewer than 4 images; the fewest: {name} with 2."
    )


def test_pictures_that_occur_twice_are_counted(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=2)
    picture = (folder.path / FISH / "0.JPEG").read_bytes()
    folder.write(f"{FISH}/again.JPEG", picture)

    lines = told(store, imported(store, "val", folder.path))

    assert lines[-1].startswith("1 image of it occurs twice in the study, for example ")
