"""Other people's files, into a study and out of it, as a newcomer from their programs would."""

import csv
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from labeler.app.exchange.export_formats import FORMAT_OMISSIONS, ExportFormat
from labeler.app.exchange.file_export import NO_RESULTS, NO_TRIALS
from labeler.app.models.model_finder import read_published_results
from labeler.commands.report import OMITTED
from labeler.formats.human_accuracy_json import NO_IMAGE_OF_THE_STUDY
from labeler.formats.human_accuracy_pickle import WALL_CLOCK_TIMES
from labeler.formats.nested_values import DICTIONARY_EXPECTED
from tests.e2e.conftest import Labeler
from tests.unit.formats.paper import (
    BEAVER,
    MARMOT,
    NEW_1,
    TENCH,
    VAL_1,
    VAL_2,
    paper,
    written,
)

MARMOTS_INDEX = 336


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    """The study in the paper's pickle."""
    folder = tmp_path / "study"
    assert labeler("new", folder).code == 0
    assert labeler("import", folder, written(tmp_path, paper())).code == 0
    return folder


def test_a_person_without_answers_is_in_the_coverage_with_none(
    labeler: Labeler, tmp_path: Path
) -> None:
    content = paper()
    content["annot_data"]["human_b"] = {}
    folder = tmp_path / "silent"
    assert labeler("new", folder).code == 0
    assert labeler("import", folder, written(tmp_path, content)).code == 0
    out = tmp_path / "out"
    assert labeler("report", folder, "--out", out, "--format", "json,csv").code == 0
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    covered = {(row["participant"], row["dataset"]): row["answered"] for row in report["coverage"]}
    assert covered["human_b", "imagenet"] == covered["human_b", "imagenetv2"] == 0
    assert covered["human_a", "imagenet"] == 1
    assert "reviewers" not in {participant for participant, _dataset in covered}
    assert "human_b,imagenet,0,1" in (out / "tables" / "coverage.csv").read_text(encoding="utf-8")


@pytest.fixture
def unjudged(labeler: Labeler, tmp_path: Path) -> Path:
    """Two validation images that no one has judged."""
    folder, files = tmp_path / "unjudged", tmp_path / "files"
    files.mkdir()
    (files / "datasets.csv").write_text(
        "dataset,image,target,path,problematic\n"
        f"val,n02361337/{VAL_1},{MARMOT},,\nval,n02361337/{VAL_2},{TENCH},,\n"
    )
    assert labeler("new", folder).code == 0
    assert labeler("import", folder, files).code == 0
    return folder


def exported(labeler: Labeler, study: Path, name: str) -> list[dict[str, str]]:
    out = study.parent / "exported"
    assert labeler("export", study, out).code == 0
    with (out / name).open(newline="") as file:
        return list(csv.DictReader(file))


def as_json(folder: Path, content: object) -> Path:
    file = folder / "given.json"
    file.write_text(json.dumps(content))
    return file


def test_the_papers_pickle_becomes_a_study_with_its_tables(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    done = labeler("report", study, "--out", tmp_path / "report", "--format", "json")
    assert done.code == 0, done.err
    assert (
        OMITTED.format(omission="Active times and the fast images: nobody's active time is known")
        in done.out
    )
    report: dict[str, Any] = json.loads((tmp_path / "report" / "report.json").read_text())
    right = {
        (row["participant"], row["dataset"]): (row["correct"], row["total"])
        for row in report["accuracy"]
        if (row["subset"], row["metric"]) == ("all", "multi_label")
    }
    # VAL_2 is problematic, and nothing is correct for NEW_2.
    assert right == {
        ("human_a", "imagenet"): (1, 1),
        ("human_a", "imagenetv2"): (0, 1),
        ("resnet50", "imagenet"): (1, 1),
        ("resnet50", "imagenetv2"): (1, 1),
    }
    times = [row["wall_seconds"] for row in exported(labeler, study, "predictions.csv")]
    assert times == ["25.750"] * 4 + [""] * 4


def test_what_is_imported_again_is_skipped(labeler: Labeler, study: Path, tmp_path: Path) -> None:
    again = labeler("import", study, tmp_path / "human_accuracy.pickle", "--json")
    assert isinstance(again.json, dict)
    assert [file["added"] for file in again.json["files"]] == [0, 0, 0, 0, 0]
    assert WALL_CLOCK_TIMES in (again.json["notes"])


def test_a_pickle_with_a_fault_changes_nothing(labeler: Labeler, tmp_path: Path) -> None:
    study, content = tmp_path / "study", paper()
    content["annot_data"]["resnet50"][NEW_1]["label"] = "marmot"
    assert labeler("new", study).code == 0
    refused = labeler("import", study, written(tmp_path, content))
    assert refused.code == 1
    assert "annot_data › resnet50 › " in refused.err
    assert "'marmot' isn't a class of the study." in refused.err
    assert exported(labeler, study, "datasets.csv") == []


def test_judged_labels_and_problems_come_to_images_that_are_there(
    labeler: Labeler, unjudged: Path, tmp_path: Path
) -> None:
    given = {
        "initial_annots": {
            VAL_1: {"correct": [MARMOT], "unclear": [BEAVER]},
            "ILSVRC2012_val_00049999.JPEG": {"correct": [TENCH]},
        },
        "problematic_images": {VAL_2: {"reason": "A cartoon"}},
    }
    done = labeler("import", unjudged, as_json(tmp_path, given))
    assert done.code == 0, done.err
    assert "Images of the study that this file judges: 1 of 2." in done.out
    assert "Images of the file that the study doesn't have, left out: 1." in done.out
    states = {row["label"]: row["state"] for row in exported(labeler, unjudged, "multilabels.csv")}
    assert states == {MARMOT: "correct", BEAVER: "unclear"}
    assert "1 image is marked as problematic: 1 drawing." in done.out
    problems = [row["problematic"] for row in exported(labeler, unjudged, "datasets.csv")]
    assert problems == ["", "drawing"]
    assert labeler("import", unjudged, tmp_path / "given.json").code == 0, "the same once more"


def test_what_contradicts_the_study_is_told_with_its_image_and_label(
    labeler: Labeler, unjudged: Path, tmp_path: Path
) -> None:
    for state in ("correct", "wrong"):
        given = {"initial_annots": {VAL_1: {state: [MARMOT]}}}
        file = as_json(tmp_path, given)
        dry = labeler("import", unjudged, file, "--dry-run")
        done = labeler("import", unjudged, file)
    place = f"given.json: dataset val, image n02361337/{VAL_1}, label {MARMOT}, state: "
    assert (dry.code, done.code) == (1, 1)
    assert place in dry.out + dry.err
    assert place in done.err


def test_reassessed_labels_become_multi_labels(
    labeler: Labeler, unjudged: Path, tmp_path: Path
) -> None:
    real: list[list[int]] = [[] for _ in range(50_000)]
    real[0] = [MARMOTS_INDEX, 0]
    done = labeler("import", unjudged, as_json(tmp_path, real))
    assert done.code == 0, done.err
    assert "Images whose list is empty: 1." in done.out
    states = [
        (row["image"][-8:], row["label"], row["state"])
        for row in exported(labeler, unjudged, "multilabels.csv")
    ]
    assert states == [
        ("001.JPEG", TENCH, "correct"),
        ("001.JPEG", MARMOT, "correct"),
        ("002.JPEG", TENCH, "unclear"),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"once upon a time", "nor human_accuracy.pickle"),
        (b"[1, 2]", "a list of 50,000 lists of class indices"),
        (b"{}", "at the top level: 'initial_annots' is missing."),
        (b'{"initial_annots": {"x.jpg": {}}}', f"{NO_IMAGE_OF_THE_STUDY}."),
        (pickle.dumps(1), f"at the top level: {DICTIONARY_EXPECTED}."),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_of_no_known_format_gets_a_sentence(
    labeler: Labeler, unjudged: Path, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = tmp_path / "given"
    file.write_bytes(content)
    refused = labeler("import", unjudged, file)
    assert refused.code == 1
    assert sentence in refused.err


def test_trials_are_written_for_model_vs_human(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    out = tmp_path / "trials"
    assert labeler("export", study, out, "--format", "model-vs-human").code == 0
    assert sorted(file.name for file in out.iterdir()) == [
        "imagenet_human_a_session_1.csv",
        "imagenet_resnet50_session_1.csv",
        "imagenetv2_human_a_session_1.csv",
        "imagenetv2_resnet50_session_1.csv",
    ]
    assert (out / "imagenet_human_a_session_1.csv").read_text().splitlines() == [
        "subj,session,trial,rt,object_response,category,condition,imagename",
        f"human_a,1,1,25.750,{MARMOT},{MARMOT},imagenet,{VAL_1}",
        f"human_a,1,2,25.750,{MARMOT},{MARMOT},imagenet,{VAL_2}",
    ]
    models = (out / "imagenetv2_resnet50_session_1.csv").read_text().splitlines()
    assert models[1] == f"resnet50,1,1,NaN,{BEAVER},{BEAVER},imagenetv2,{NEW_1}"


def test_results_are_written_as_timm_publishes_them(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    out = tmp_path / "results"
    assert labeler("export", study, out, "--format", "timm-results").code == 0
    assert (out / "results-imagenetv2.csv").read_text().splitlines() == [
        "model,img_size,top1,top1_err,top5,top5_err,param_count,crop_pct,interpolation",
        "resnet50,,50.000,50.000,,,,,",
    ], "a single guess for each image makes no top-5 accuracy"
    assert read_published_results(out / "results-imagenetv2.csv")["resnet50"].top1 == 50.0


def test_a_study_without_answers_has_nothing_to_write(labeler: Labeler, unjudged: Path) -> None:
    for wanted, sentence in (
        ("model-vs-human", NO_TRIALS),
        ("timm-results", NO_RESULTS),
    ):
        refused = labeler("export", unjudged, unjudged / "out", "--format", wanted)
        assert refused.code == 1
        assert sentence in refused.err


def test_a_dry_run_tells_what_the_import_would_bring_and_brings_nothing(
    labeler: Labeler, tmp_path: Path
) -> None:
    study, file = tmp_path / "study", written(tmp_path, paper())
    assert labeler("new", study).code == 0
    seen = labeler("import", study, file, "--dry-run")
    assert seen.code == 0, seen.err
    assert "Datasets: imagenet (2 images), imagenetv2 (2 images)." in seen.out
    assert "People: human_a, reviewers." in seen.out
    assert "Model: resnet50." in seen.out
    assert "datasets.csv: 4 rows, 4 new, 0 " in seen.out
    assert f"  imagenet,{VAL_1},{MARMOT},," in seen.out
    assert "Nothing was written." in seen.out
    assert exported(labeler, study, "datasets.csv") == []
    report = labeler("import", study, file, "--dry-run", "--json").json
    assert labeler("import", study, file).code == 0
    assert isinstance(report, dict)
    assert len(exported(labeler, study, "datasets.csv")) == report["files"][0]["added"]


def test_a_dry_run_tells_every_fault_and_ends_as_the_import_would(
    labeler: Labeler, unjudged: Path, tmp_path: Path
) -> None:
    file = tmp_path / "judged.csv"
    file.write_text(
        f"dataset,image,label,state\nval,n02361337/{VAL_1},{MARMOT},right\nval,x,{TENCH},wrong\n"
    )
    seen = labeler("import", unjudged, file, "--dry-run")
    assert seen.code == 1
    assert "judged.csv, line 2, column state: 'right' is not one of" in seen.err
    assert "judged.csv, line 3, column image: 'x' is not an image of the dataset 'val'." in seen.err
    assert labeler("import", unjudged, file).code == 1


def test_single_files_of_the_exchange_format_are_imported_together(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    out, copy = tmp_path / "out", tmp_path / "copy"
    assert labeler("export", study, out).code == 0
    assert labeler("new", copy).code == 0
    files = [out / f"{name}.csv" for name in ("predictions", "participants", "datasets")]
    done = labeler("import", copy, *files)
    assert done.code == 0, done.err
    assert "predictions.csv: 8 rows added." in done.out


@pytest.mark.parametrize(
    ("wanted", "file", "lacks"),
    [
        ("exchange", "predictions.csv: 8 rows.", FORMAT_OMISSIONS[ExportFormat.EXCHANGE][0]),
        (
            "model-vs-human",
            "imagenet_human_a_session_1.csv: 2 rows.",
            FORMAT_OMISSIONS[ExportFormat.MODEL_VS_HUMAN][0],
        ),
        (
            "timm-results",
            "results-imagenet.csv: 1 row.",
            FORMAT_OMISSIONS[ExportFormat.TIMM_RESULTS][0],
        ),
        ("latex", "", FORMAT_OMISSIONS[ExportFormat.LATEX][0]),
    ],
)
def test_a_dry_export_tells_what_would_be_written_and_what_is_lost(
    labeler: Labeler, study: Path, wanted: str, file: str, lacks: str
) -> None:
    out = study.parent / "out"
    seen = labeler("export", study, out, "--format", wanted, "--dry-run")
    assert seen.code == 0, seen.err
    assert file in seen.out
    assert lacks in seen.out
    assert not out.exists()
    assert labeler("export", study, out, "--format", wanted).code == 0
    again = labeler("export", study, out, "--format", wanted, "--dry-run")
    assert "would be replaced" in again.out


def test_an_export_writes_as_many_rows_as_it_told_before(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    for wanted in ("exchange", "model-vs-human", "timm-results"):
        seen = labeler(
            "export", study, tmp_path / wanted, "--format", wanted, "--dry-run", "--json"
        )
        done = labeler("export", study, tmp_path / wanted, "--format", wanted, "--json")
        assert isinstance(seen.json, dict)
        assert seen.json["files"] == done.json


def test_the_reports_tables_are_exported_as_latex(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    done = labeler("export", study, tmp_path / "out", "--format", "latex", "--json")
    assert done.code == 0, done.err
    assert isinstance(done.json, list)
    assert done.json
    for row in done.json:
        assert "\\toprule" in (tmp_path / "out" / row["file"]).read_text()
