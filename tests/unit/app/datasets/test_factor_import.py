"""Properties of images become subsets of the results."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from labeler.app.datasets.factor_import import (
    NO_KNOWN_IMAGE,
    import_factors,
    remove_factors,
)
from labeler.app.results.report_data import ReportRequest, read_report_data
from labeler.core.errors import InputError
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.all_tables import report_tables
from labeler.report.json_file import report_json
from labeler.store.study_store import StudyStore
from tests.results_study import golden_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StudyStore]:
    with golden_store(tmp_path) as opened:
        yield opened


@pytest.fixture
def images(store: StudyStore) -> list[str]:
    with store.read() as study:
        names = [each.name for each in study.datasets.all()]
        return [image.name for name in names for image in study.model_predictions.images(name)]


def written(folder: Path, *lines: str) -> Path:
    file = folder / "factors.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def accuracies(store: StudyStore, subset: str) -> list[int]:
    rows = report_json(read_report_data(store, ReportRequest()))["accuracy"]
    return [row["total"] for row in rows if row["subset"] == subset]  # type: ignore[attr-defined]


def test_flags_and_values_become_subsets(
    store: StudyStore, images: list[str], tmp_path: Path
) -> None:
    lines = [f"{name},{int(n % 2)},{'dog' if n % 3 else 'cat'}" for n, name in enumerate(images)]
    sentences = import_factors(store, written(tmp_path, "image,pose,kind", *lines))
    assert sentences == (f"Imported 3 factors of {len(images)} images.",)
    assert accuracies(store, "factor:pose")
    assert accuracies(store, "factor:kind: cat")
    tables = report_tables(AccuracyIndex(read_report_data(store, ReportRequest())))
    (table,) = (table for table in tables if table.key == "factors")
    assert {row[0] for row in table.rows} == {"All", "pose", "kind: cat", "kind: dog"}


def test_json_lines_with_one_hot_factors_are_read(
    store: StudyStore, images: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "imagenet_x.jsonl"
    rows = [{"file_name": name, "one_hot": {"pose": 1, "larger": 0}} for name in images]
    file.write_text("\n".join(map(json.dumps, rows)))
    assert f"Imported 1 factor of {len(images)} images." in import_factors(store, file)


def test_images_are_found_without_folder_and_extension_and_others_are_counted(
    store: StudyStore, images: list[str], tmp_path: Path
) -> None:
    stem = Path(images[0]).stem
    sentences = import_factors(store, written(tmp_path, "image,pose", f"{stem},1", "unknown,1"))
    assert "1 image of the file is not in the study." in sentences


def test_a_file_replaces_the_one_before_and_can_be_removed(
    store: StudyStore, images: list[str], tmp_path: Path
) -> None:
    import_factors(store, written(tmp_path, "image,pose", f"{images[0]},1"))
    import_factors(store, written(tmp_path, "image,shape", f"{images[0]},1"))
    assert not accuracies(store, "factor:pose")
    assert remove_factors(store) == "Removed 1 factor."
    assert not accuracies(store, "factor:shape")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (("image,pose", "unknown,1"), NO_KNOWN_IMAGE),
        (("picture,pose", "x,1"), "no column image"),
        (("image,pose",), "no images"),
        (("image,pose", "x,1,2"), "line 2: there are 3 values"),
        (("image,pose,pose", "x,1,2"), "occurs twice"),
        (("image,text", *(f"x{n},{n * 1.5}" for n in range(2, 30))), "no column is a factor"),
    ],
)
def test_a_file_without_factors_is_refused(
    store: StudyStore, tmp_path: Path, lines: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(InputError) as refused:
        import_factors(store, written(tmp_path, *lines))
    assert problem in str(refused.value)
