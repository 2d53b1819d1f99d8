"""A healthy study has no problems; each kind of damage is found with its remedy."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.study.check import CheckFinding, StudyProblem, check_study
from labeler.core.errors import RefusedError
from labeler.store.study_opening import open_study

FISH, DOG = "n01440764", "n02085620"


class Vandal:
    """Does one kind of damage to a healthy study."""

    def __init__(self, study: Path, pictures: Path) -> None:
        self._study = study
        self._pictures = pictures

    def damage_a_page(self) -> None:
        with closing(sqlite3.connect(self._study / "study.db")) as connection:
            query = "SELECT rootpage FROM sqlite_master WHERE name = 'guide_visit'"
            [page] = connection.execute(query).fetchone()
            [size] = connection.execute("PRAGMA page_size").fetchone()
        with (self._study / "study.db").open("r+b") as stream:
            stream.seek((page - 1) * size)
            stream.write(b"\xff" * size)

    def leave_a_dangling_row(self) -> None:
        self._execute("INSERT INTO person (participant_id, name) VALUES (99, 'Nobody')")

    def come_from_the_future(self) -> None:
        self._execute("UPDATE alembic_version SET version_num = '9999'")

    def empty_the_database(self) -> None:
        (self._study / "study.db").write_bytes(b"")

    def interrupt_an_import(self) -> None:
        self._execute("UPDATE dataset SET complete = 0 WHERE name = 'val'")

    def remove_an_image(self) -> None:
        (self._pictures / "val" / FISH / "0.JPEG").unlink()

    def change_an_image(self) -> None:
        file = self._pictures / "val" / FISH / "0.JPEG"
        contents = bytearray(file.read_bytes())
        contents[-3] ^= 1
        file.write_bytes(contents)

    def empty_an_image(self) -> None:
        (self._pictures / "references" / DOG / "1.JPEG").write_bytes(b"")

    def fail_to_show_an_image(self) -> None:
        self._execute(
            "INSERT INTO trial (id, participant_id, task, image_id, position)"
            " SELECT 'abc', 1, 'evaluate', min(image_id), 1 FROM sample_image"
        )
        self._execute("INSERT INTO not_shown (trial_id, note, at) VALUES ('abc', '', '2026')")

    def show_a_picture_of_the_sample_beforehand(self) -> None:
        self._execute(
            "UPDATE image SET content_hash = (SELECT content_hash FROM image JOIN sample_image"
            " ON image_id = image.id WHERE position = 0), path = (SELECT root || '/' || image.name"
            " FROM image JOIN sample_image ON image_id = image.id JOIN dataset"
            " ON dataset.id = dataset_id WHERE position = 0)"
            " WHERE id = (SELECT MIN(image_id) FROM training_pool)"
        )

    def spoil_a_sheet(self) -> None:
        (self._study / "thumbnails" / f"{DOG}.jpg").unlink()

    def leave_an_orphaned_sheet(self) -> None:
        (self._study / "thumbnails" / "n99999999.jpg").touch()

    def _execute(self, statement: str) -> None:
        with closing(sqlite3.connect(self._study / "study.db")) as connection, connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute(statement)


DAMAGES: list[tuple[Callable[[Vandal], None], StudyProblem, str]] = [
    (Vandal.leave_a_dangling_row, StudyProblem.DANGLING, "from person to something in participant"),
    (Vandal.come_from_the_future, StudyProblem.UNOPENABLE, "newer labeler"),
    (Vandal.empty_the_database, StudyProblem.UNOPENABLE, "there is no study in it"),
    (
        Vandal.interrupt_an_import,
        StudyProblem.INTERRUPTED,
        "import of “val” stopped after 6 images",
    ),
    (Vandal.remove_an_image, StudyProblem.MISSING, f"val: {FISH}/0.JPEG is missing from /"),
    (Vandal.change_an_image, StudyProblem.CHANGED, f"val: {FISH}/0.JPEG has changed"),
    (Vandal.empty_an_image, StudyProblem.CHANGED, f"references: {DOG}/1.JPEG is empty now"),
    (
        Vandal.show_a_picture_of_the_sample_beforehand,
        StudyProblem.SEEN,
        "the same picture as training:",
    ),
    (Vandal.fail_to_show_an_image, StudyProblem.NOT_SHOWN, "couldn't be shown to A"),
    (Vandal.spoil_a_sheet, StudyProblem.STALE_SHEET, f"({DOG}) are missing, damaged or outdated"),
    (
        Vandal.leave_an_orphaned_sheet,
        StudyProblem.ORPHANED_SHEET,
        "n99999999.jpg belongs to no class",
    ),
]

REMEDIES = {
    StudyProblem.DAMAGED: "--restore",
    StudyProblem.DANGLING: "--restore",
    StudyProblem.UNOPENABLE: "then check again",
    StudyProblem.INTERRUPTED: "labeler add-dataset",
    StudyProblem.MISSING: "labeler relocate",
    StudyProblem.CHANGED: "original file",
    StudyProblem.SEEN: "--redraw --skip-seen",
    StudyProblem.NOT_SHOWN: "labeler's computer",
    StudyProblem.STALE_SHEET: "labeler references",
    StudyProblem.ORPHANED_SHEET: "labeler references",
}


@pytest.fixture
def vandal(healthy, tmp_path) -> Vandal:
    return Vandal(healthy, tmp_path / "pictures")


@pytest.mark.parametrize("contents", [True, False])
def test_a_healthy_study_has_nothing_wrong(healthy, clock, contents) -> None:
    assert check_study(healthy, clock=clock, contents=contents) == []


def test_checking_changes_nothing(healthy, clock) -> None:
    def files() -> dict[str, bytes]:
        return {
            str(file): file.read_bytes()
            for file in sorted(healthy.rglob("*"))
            if file.is_file() and not file.name.endswith(("-wal", "-shm"))
        }

    before = files()
    check_study(healthy, clock=clock)

    assert files() == before


@pytest.mark.parametrize(("damage", "problem", "sentence"), DAMAGES)
def test_each_kind_of_damage_is_found_with_its_remedy(
    *, vandal, healthy, clock, damage, problem, sentence
) -> None:
    damage(vandal)

    [finding] = check_study(healthy, clock=clock)

    assert finding.problem is problem
    assert sentence in finding.sentence
    assert REMEDIES[problem] in finding.remedy


def test_a_damaged_page_is_found(vandal, healthy, clock) -> None:
    vandal.damage_a_page()

    findings = check_study(healthy, clock=clock)

    assert {finding.problem for finding in findings} == {StudyProblem.DAMAGED}
    assert REMEDIES[StudyProblem.DAMAGED] in findings[0].remedy


def test_every_problem_is_caused_by_some_damage() -> None:
    # Changed chains of merged work have tests next to those of merging.
    elsewhere = {StudyProblem.DAMAGED, StudyProblem.CHAIN}
    assert {problem for _, problem, _ in DAMAGES} | elsewhere == set(StudyProblem)
    assert set(REMEDIES) == set(StudyProblem) - {StudyProblem.CHAIN}


def test_several_damages_are_all_found(vandal, healthy, clock) -> None:
    vandal.remove_an_image()
    vandal.empty_an_image()
    vandal.spoil_a_sheet()
    vandal.leave_an_orphaned_sheet()

    problems = [finding.problem for finding in check_study(healthy, clock=clock)]

    assert sorted(problems) == sorted(
        [
            StudyProblem.MISSING,
            StudyProblem.CHANGED,
            StudyProblem.STALE_SHEET,
            StudyProblem.ORPHANED_SHEET,
        ]
    )


def test_a_fast_check_compares_sizes_only(vandal, healthy, clock, tmp_path) -> None:
    vandal.change_an_image()
    assert check_study(healthy, clock=clock, contents=False) == []

    (tmp_path / "pictures" / "val" / DOG / "2.JPEG").write_bytes(b"shorter")
    [finding] = check_study(healthy, clock=clock, contents=False)

    assert finding == CheckFinding(StudyProblem.CHANGED, f"val: {DOG}/2.JPEG has changed.")


def test_an_import_that_was_really_interrupted_is_found(healthy, clock, pictures) -> None:
    folder = pictures("more").fill(FISH, each=3)
    with open_study(healthy, clock=clock) as store:
        request = DatasetRequest(name="more", path=folder.path)
        import_dataset(store, request, cancelled=lambda: True)

    [finding] = check_study(healthy, clock=clock)

    assert finding.sentence == "The import of “more” stopped after 0 images."


def test_the_remedies_fix_the_study(vandal, healthy, clock) -> None:
    from labeler.app.datasets.contact_sheets import prepare_sheets

    vandal.spoil_a_sheet()
    vandal.leave_an_orphaned_sheet()
    vandal.interrupt_an_import()
    with open_study(healthy, clock=clock) as store:
        prepare_sheets(store)
        with store.read() as study:
            root = study.datasets.definition("val").root
        assert root is not None
        import_dataset(store, DatasetRequest(name="val", path=Path(root)))

    assert check_study(healthy, clock=clock) == []


def test_a_missing_study_is_refused_instead_of_checked(tmp_path, clock) -> None:
    with pytest.raises(RefusedError, match="There is no study"):
        check_study(tmp_path / "nowhere", clock=clock)
