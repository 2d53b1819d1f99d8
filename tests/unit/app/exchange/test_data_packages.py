"""Other tools load what is exported for them."""

import json
import runpy
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlcroissant
import pytest
from datasets import disable_progress_bars, load_dataset
from PIL import Image
from tqdm import tqdm

from labeler.app.exchange.data_packages import FIFTYONE_SCRIPT
from labeler.app.exchange.export_formats import ExportFormat
from labeler.app.exchange.file_export import export_study, preview_export
from labeler.app.progress import NoProgress
from labeler.store.study_store import StudyStore
from tests.results_study import golden_store

IGNORED = "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"
pytestmark = [pytest.mark.filterwarnings(each) for each in IGNORED]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    with golden_store(tmp_path_factory.mktemp("golden")) as opened:
        yield opened


def exported(store: StudyStore, folder: Path, wanted: ExportFormat, **options: bool) -> Path:
    planned = preview_export(store, folder, wanted, NoProgress()).files
    made = export_study(store, folder, wanted, progress=NoProgress(), **options).files
    assert made == planned
    assert all((folder / file.file).is_file() for file in made)
    return folder


@pytest.mark.parametrize("wanted", [ExportFormat.CROISSANT, ExportFormat.PARQUET])
def test_croissant_metadata_is_valid_and_loads_the_tables(
    store: StudyStore, tmp_path: Path, wanted: ExportFormat
) -> None:
    folder = exported(store, tmp_path / "out", wanted)
    loaded = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert loaded.metadata.ctx.issues.errors == set()
    assert loaded.metadata.name == "golden"
    records = list(loaded.records("predictions"))
    counts = {
        file.file: file.rows
        for file in preview_export(store, tmp_path, ExportFormat.EXCHANGE, NoProgress()).files
    }
    assert len(records) == counts["predictions.csv"]
    assert records[0]["predictions/rank"] == 1


def test_hugging_face_datasets_load_every_table(
    store: StudyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    # Its thread would outlive the test.
    monkeypatch.setattr(tqdm, "monitor_interval", 0)
    disable_progress_bars()
    folder = exported(store, tmp_path / "out", ExportFormat.HUGGING_FACE)
    images = load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    with store.read() as study:
        assert set(images) == {each.name for each in study.datasets.all()}
    split = next(iter(images.values()))
    assert {"image", "target", "target_name", "correct_labels"} <= set(split.column_names)
    answers = load_dataset(str(folder), "predictions", cache_dir=str(tmp_path / "cache"))
    assert answers["train"][0]["rank"] == 1


class StandIn(types.ModuleType):
    """The few names of fiftyone that the script uses, which records the samples."""

    def __init__(self) -> None:
        super().__init__("fiftyone")
        self.made: list[Any] = []
        outer = self

        class Fields(dict[str, Any]):
            def __init__(self, **values: Any) -> None:
                super().__init__(values)

        class Dataset(list[Any]):
            def __init__(self, name: str, *, persistent: bool) -> None:
                super().__init__()
                assert persistent
                outer.name = name

            def add_samples(self, samples: list[Any]) -> None:
                self.extend(samples)
                outer.made = samples

        self.Sample = self.Classification = self.Classifications = Fields
        self.Dataset = Dataset


def test_the_script_for_fiftyone_makes_a_sample_per_picture(
    store: StudyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = exported(store, tmp_path / "out", ExportFormat.FIFTYONE)
    picture = tmp_path / "picture.png"
    Image.new("RGB", (4, 4)).save(picture)
    table = (folder / "datasets.csv").read_text().splitlines()
    dataset, image, target, *_ = table[1].split(",")
    row = f"{dataset},{image},{target},{picture},"
    (folder / "datasets.csv").write_text("\n".join([table[0], row, *table[2:]]) + "\n")
    recorder = StandIn()
    monkeypatch.setitem(sys.modules, "fiftyone", recorder)
    monkeypatch.setattr(sys, "argv", [FIFTYONE_SCRIPT, "mine"])
    runpy.run_path(str(folder / FIFTYONE_SCRIPT), run_name="__main__")
    (sample,) = recorder.made
    names = json.loads((folder / "class_names.json").read_text())
    assert sample["target"]["label"] == names[target]
    assert any(field.startswith("human_") for field in sample)
    assert any(field.startswith("model_") for field in sample)
