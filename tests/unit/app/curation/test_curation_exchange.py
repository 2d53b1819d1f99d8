"""Pools and built datasets pass through the exchange format, and rounds ask about candidates."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.curation.building import build_dataset
from labeler.app.curation.dataset_export import add_revision_as_dataset
from labeler.app.curation.rejections import reject_candidates
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.curation.entities import RejectReason
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey, Participant, ParticipantKind
from labeler.store.exchange.exporter import export_exchange
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.conftest import DOG, FISH, PictureFolder
from tests.unit.app.curation.conftest import POOL, read_rows
from tests.unit.app.curation.test_building import REQUEST, review_all

ROUND = RoundRequest(
    task=CrowdTask.CONTAINS,
    labels=LabelChoice.TARGET,
    seed=1,
    datasets=(POOL,),
    rules=GridRules(images=8, positive=1, negative=1),
)


@pytest.fixture
def built(store: StudyStore, pool: dict[str, ImageKey]) -> StudyStore:
    build_dataset(store, REQUEST)
    review_all(store, 1)
    reject_candidates(store, [min(pool.values())], RejectReason.BLURRY)
    build_dataset(store, replace(REQUEST, parent=1))
    return store


def test_everything_exported_can_be_imported_into_another_study(
    built: StudyStore, empty_study: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    export_exchange(built, first)
    copy = Path(shutil.copytree(empty_study, tmp_path / "copy"))
    with open_study(copy, clock=AdjustableClock()) as other:
        import_exchange(other, first)
        export_exchange(other, second)
        skipped = {each.file: each.added for each in import_exchange(other, first).files}
    names = ("candidates", "built_datasets", "built_images", "class_reviews")
    for name in names:
        rows = read_rows(first / f"{name}.csv")
        assert rows
        assert rows == read_rows(second / f"{name}.csv")
        assert skipped[f"{name}.csv"] == 0


@pytest.mark.parametrize(
    ("file", "change", "column"),
    [
        ("candidates", {"rejected": "ugly"}, "rejected"),
        ("candidates", {"label": "nothing"}, "label"),
        ("built_datasets", {"parameters": "[1]"}, "parameters"),
        ("built_datasets", {"parent": "7"}, "parent"),
        ("built_images", {"image": "nowhere"}, "image"),
        ("built_images", {"bin": "5"}, "bin"),
        ("class_reviews", {"reviewer": "Z"}, "reviewer"),
        ("class_reviews", {"reviewed": "maybe"}, "reviewed"),
        ("class_reviews", {"needs_work": "1"}, "needs_work"),
    ],
)
def test_a_bad_or_contradicting_row_is_refused_with_its_place(
    built: StudyStore, tmp_path: Path, file: str, change: dict[str, str], column: str
) -> None:
    export_exchange(built, tmp_path / "out")
    path = tmp_path / "out" / f"{file}.csv"
    header = path.read_text().partition("\n")[0]
    row = read_rows(path)[0] | change
    text = ",".join('"' + value.replace('"', '""') + '"' for value in row.values())
    path.write_text(f"{header}\n{text}\n")
    with pytest.raises(InputError) as caught:
        import_exchange(built, tmp_path / "out")
    assert (caught.value.file, caught.value.line, caught.value.column) == (path.name, 2, column)


def test_predictions_of_a_model_on_an_unfinished_dataset_are_refused(
    built: StudyStore, tmp_path: Path
) -> None:
    add_revision_as_dataset(built, "mine", 2, name="unfinished")
    with built.write() as study:
        study.participants.add(Participant("m", ParticipantKind.MODEL))
        [image, *_] = study.model_predictions.images("unfinished")
    export_exchange(built, tmp_path / "out")
    file = tmp_path / "out" / "predictions.csv"
    header = file.read_text()
    values = {"participant": "m", "dataset": "unfinished", "image": image.name, "rank": "1"}
    values |= {"label": FISH, "escape_hatch": "0"}
    columns = header.strip().split(",")
    file.write_text(header + ",".join(values.get(c, "") for c in columns) + "\n")
    with pytest.raises(InputError, match="isn't final") as caught:
        import_exchange(built, tmp_path / "out")
    assert (caught.value.line, caught.value.column) == (2, "dataset")


@pytest.fixture
def references(store: StudyStore, pictures: Callable[[str], PictureFolder]) -> None:
    folder = pictures("references").fill(FISH, DOG, each=30)
    request = DatasetRequest(name="references", path=folder.path, role=DatasetRole.REFERENCE)
    import_dataset(store, request)


def test_a_round_asks_about_candidates_once_and_never_about_rejected_ones(
    store: StudyStore, pool: dict[str, ImageKey], references: None
) -> None:
    gone = min(pool.values())
    reject_candidates(store, [gone], RejectReason.BLURRY)
    plan = plan_round(store, ROUND)
    assert set(plan.labels) == set(pool.values()) - {gone}
    store_plan(store, plan)
    with pytest.raises(RefusedError, match="in a grid already"):
        plan_round(store, ROUND)


def test_a_round_adds_reference_images_until_each_class_has_enough(
    store: StudyStore, pool: dict[str, ImageKey], references: None
) -> None:
    plan = plan_round(store, replace(ROUND, reference="references"))
    asked = [key for key in plan.labels if key.dataset == "references"]
    assert len(asked) == 40
    assert len(plan.labels) == 48


def test_no_model_is_consulted_about_candidates(
    store: StudyStore, pool: dict[str, ImageKey], references: None
) -> None:
    with pytest.raises(RefusedError, match="No model"):
        plan_round(store, replace(ROUND, labels=LabelChoice.POTENTIAL))
