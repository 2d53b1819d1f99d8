"""A preview tells what an import would do, and does nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.core.errors import RefusedError
from labeler.store.exchange.files import find_in_folder, find_single_files
from labeler.store.exchange.importer import import_exchange
from labeler.store.exchange.preview import ImportPreview, preview_files
from labeler.store.study_store import StudyStore
from tests.unit.store.exchange.conftest import CAT, Files

Counts = Callable[[StudyStore], dict[str, int]]


def preview(study: StudyStore, folder: Path) -> ImportPreview:
    found = find_in_folder(folder)
    return preview_files(study, found, progress=lambda _file, _done, _total: None)


def test_a_preview_counts_what_the_import_then_adds(
    study: StudyStore, files: Files, small: dict[str, str], counts: Counts
) -> None:
    folder, empty = files(**small), counts(study)
    seen = preview(study, folder)
    assert counts(study) == empty, "nothing is kept, not even a line of history"
    summary = import_exchange(study, folder)
    assert tuple(file.would for file in seen.files) == summary.files


def test_others_commit_while_a_preview_runs(
    study: StudyStore, files: Files, small: dict[str, str], counts: Counts
) -> None:
    found, before = find_in_folder(files(**small)), counts(study)

    with study.hurried() as labelers:

        def commit(file: str, _done: int, _total: int) -> None:
            with labelers.write() as transaction:
                transaction.audit.record("meanwhile", file=file)

        seen = preview_files(study, found, progress=commit)
    assert seen.added == 51
    after = counts(study)
    assert after["audit"] > before["audit"] + len(small), "each of them, and the copy too"
    assert after == before | {"audit": after["audit"]}


def test_a_preview_that_is_stopped_while_the_study_is_copied_leaves_nothing(
    study: StudyStore, files: Files, small: dict[str, str], counts: Counts
) -> None:
    found, before = find_in_folder(files(**small)), counts(study)

    def stop(file: str, _done: int, _total: int) -> None:
        if file == "study.db":
            raise RefusedError("Stopped.")

    with pytest.raises(RefusedError, match="Stopped"):
        preview_files(study, found, progress=stop)
    assert counts(study) == before


def test_a_preview_tells_what_is_there_already(
    study: StudyStore, files: Files, small: dict[str, str]
) -> None:
    import_exchange(study, files(datasets=small["datasets"]))
    seen = preview(study, files(**small))
    would = {file.file: file.would for file in seen.files}
    assert would["datasets.csv"] is not None
    assert (would["datasets.csv"].added, would["datasets.csv"].skipped) == (0, 3)
    assert seen.added == 3 + 5 + 4 + 3 + 2 + 2 + 6 + 14 + 7 + 2


def test_a_preview_names_datasets_people_and_models_and_shows_rows(
    study: StudyStore, files: Files, small: dict[str, str]
) -> None:
    seen = preview(study, files(**small))
    assert seen.datasets == (("original", 2), ("new", 1))
    assert (seen.people, seen.models) == (("L1", "R1"), ("resnet",))
    shown = seen.files[0]
    assert shown.columns == ("dataset", "image", "target", "path", "problematic")
    assert shown.rows[0] == ("original", "cats/1.JPEG", CAT, "/pictures/1.JPEG", "")


def test_a_long_file_shows_its_first_rows_only(study: StudyStore, files: Files) -> None:
    rows = "".join(f"d,{number},{CAT},,\n" for number in range(40))
    seen = preview(study, files(datasets=f"dataset,image,target,path,problematic\n{rows}"))
    assert [row[1] for row in seen.files[0].rows] == ["0", "1", "2", "3", "4"]
    assert seen.datasets == (("d", 40),)


def test_every_bad_row_of_a_file_is_told_at_once(
    study: StudyStore, files: Files, counts: Counts
) -> None:
    empty = counts(study)
    text = f"dataset,image,target,path,problematic\nd,1,{CAT},,\nd,2,cat,,\nd,3,{CAT},,ugly\n"
    seen = preview(study, files(datasets=text))
    assert list(map(str, seen.faults)) == [
        "datasets.csv, line 3, column target: 'cat' is not a class of the study.",
        "datasets.csv, line 4, column problematic: 'ugly' is not one of "
        "target_wrong, drawing, edited, inappropriate.",
    ]
    assert seen.files[0].would is None
    assert counts(study) == empty


def test_faults_of_a_large_file_are_told_up_to_a_score(
    study: StudyStore, files: Files, small: dict[str, str]
) -> None:
    bad = "".join(f"new,{number},{CAT},correct\n" for number in range(90))
    text = f"dataset,image,label,state\n{bad}"
    seen = preview(study, files(datasets=small["datasets"], multilabels=text))
    assert len(seen.faults) == 21
    assert str(seen.faults[0]) == (
        "multilabels.csv, line 2, column image: '0' is not an image of the dataset 'new'."
    )
    assert seen.faults[-1].line == 22


def test_a_contradiction_to_the_study_is_told(
    study: StudyStore, files: Files, small: dict[str, str]
) -> None:
    import_exchange(study, files(**small))
    text = small["multilabels"].replace("n00000001,correct", "n00000001,wrong")
    seen = preview(study, files(multilabels=text))
    assert list(map(str, seen.faults)) == [
        "multilabels.csv, line 2, column state: the file says 'wrong', but the study has 'correct'."
    ]


def test_files_alone_are_known_by_their_headers_and_named_as_they_are_called(
    study: StudyStore, files: Files, small: dict[str, str]
) -> None:
    folder = files(images=small["datasets"], people=small["participants"].replace("human", "cat"))
    found = find_single_files([folder / "people.csv", folder / "images.csv"])
    assert [file.name for file in found] == ["datasets.csv", "participants.csv"]
    seen = preview_files(study, found, progress=lambda _file, _done, _total: None)
    assert str(seen.faults[0]).startswith("people.csv, line 2, column kind: 'cat' is not one of ")


def test_two_files_for_the_same_are_refused(files: Files, small: dict[str, str]) -> None:
    folder = files(datasets=small["datasets"], again=small["datasets"])
    with pytest.raises(RefusedError, match=r"are both datasets\.csv; choose one of them\.$"):
        find_single_files([folder / "datasets.csv", folder / "again.csv"])


def test_a_file_of_unknown_columns_is_told_with_them(files: Files) -> None:
    folder = files(other="a,b\n1,2\n")
    with pytest.raises(RefusedError, match="the header a,b does not belong"):
        find_single_files([folder / "other.csv"])
