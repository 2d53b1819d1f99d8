"""Answers of annotators are imported, aggregated and exported, without the window."""

import csv
import json
from pathlib import Path

import pytest

from labeler.app.crowd.aggregation import NOTHING_TO_AGGREGATE
from tests.e2e.conftest import Labeler

TENCH, GOLDFISH, CAT, ELEPHANT = "n01440764", "n01443537", "n02123045", "n02504458"
PEOPLE = ("A", "B", "C", "D", "E", "F", "careless")
FISH, BOTH = "fish.jpg", "both.jpg"


def write(folder: Path, name: str, *rows: str) -> None:
    (folder / f"{name}.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    assert labeler("new", tmp_path / "study").code == 0
    return tmp_path / "study"


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """One image shows a tench only; on the other, a tench and a cat are the same to everyone."""
    folder = tmp_path / "answers"
    folder.mkdir()
    images = [(FISH, TENCH), (BOTH, TENCH), *((f"control{n}.jpg", TENCH) for n in range(5))]
    write(
        folder,
        "datasets",
        "dataset,image,target,path,problematic",
        *(f"val,{image},{target},," for image, target in images),
    )
    write(
        folder,
        "participants",
        "participant,kind,description",
        *(f"{code},human," for code in PEOPLE),
    )
    controls = [f"val,control{n}.jpg,positive" for n in range(5)]
    write(
        folder,
        "grids",
        "grid,label,position,dataset,image,role",
        *(
            f"{grid},{label},{place},{image}"
            for grid, label in (("g", TENCH), ("h", CAT))
            for place, image in enumerate(
                [f"val,{FISH},candidate", f"val,{BOTH},candidate", *controls], 1
            )
        ),
    )
    chosen = {("g", True): "1|2|3|4|5|6|7", ("h", True): "2|3|4|5|6|7"}
    write(
        folder,
        "contains_answers",
        "participant,grid,selected,active_seconds,submitted_at,state",
        *(
            f"{code},{grid},{chosen.get((grid, code != 'careless'), '')},9.000,"
            "2026-03-01T08:00:00Z,submitted"
            for code in PEOPLE
            for grid in ("g", "h")
        ),
    )
    write(
        folder,
        "classify_answers",
        "participant,dataset,image,labels,main,active_seconds,submitted_at",
        *(
            f"{code},val,{BOTH},{TENCH}|{CAT},{CAT},4.000,2026-03-02T08:00:00Z"
            for code in PEOPLE[:4]
        ),
        f"E,val,{BOTH},{CAT},{TENCH},4.000,2026-03-02T08:00:00Z",
    )
    return folder


def test_answers_become_frequencies_labels_and_objects(
    labeler: Labeler, study: Path, answers: Path, tmp_path: Path
) -> None:
    assert labeler("import", study, answers).code == 0

    outcome = labeler("crowd", "aggregate", study, "--json")

    assert outcome.code == 0
    result = outcome.json
    assert isinstance(result, dict)
    assert result["statuses"]["clear"] == 1
    assert result["statuses"]["follow_up"] == 1
    assert result["objects"] == {"2": 1}
    assert result["contradictory_answers"] == 1
    assert [a["participant"] for a in result["annotators"] if a["excluded"]] == ["careless"]

    assert labeler("export", study, tmp_path / "out").code == 0
    frequencies = {
        (row["image"], row["label"]): (row["selected"], row["shown"])
        for row in rows_of(tmp_path / "out", "selection_frequencies")
    }
    assert frequencies[FISH, TENCH] == ("6", "6")
    assert frequencies[FISH, CAT] == ("0", "6")
    assert frequencies[BOTH, CAT] == ("6", "6")
    (summary,) = [r for r in rows_of(tmp_path / "out", "image_summaries") if r["image"] == BOTH]
    assert (summary["num_objects"], summary["confidence"]) == ("2", "4/4")
    assert (summary["main_label"], summary["main_object"], summary["target_object"]) == (
        CAT,
        "2",
        "1",
    )


def test_without_quality_rules_everyone_counts(
    labeler: Labeler, study: Path, answers: Path, tmp_path: Path
) -> None:
    labeler("import", study, answers)
    assert labeler("crowd", "aggregate", study, "--quality", "none").code == 0
    labeler("export", study, tmp_path / "out")
    shown = {row["shown"] for row in rows_of(tmp_path / "out", "selection_frequencies")}
    assert shown == {"7"}


def test_imported_frequencies_replace_the_tasks(
    labeler: Labeler, study: Path, answers: Path, tmp_path: Path
) -> None:
    for name in ("grids", "contains_answers", "classify_answers"):
        (answers / f"{name}.csv").unlink()
    write(
        answers,
        "selection_frequencies",
        "dataset,image,label,selected,shown",
        f"val,{BOTH},{TENCH},3,9",
        f"val,{BOTH},{ELEPHANT},1,9",
        f"val,{BOTH},{GOLDFISH},0,9",
    )
    labeler("import", study, answers)
    assert labeler("crowd", "aggregate", study).code == 0
    labeler("export", study, tmp_path / "out")
    candidates = rows_of(tmp_path / "out", "candidate_labels")
    assert [(row["label"], row["place"], row["reason"]) for row in candidates] == [
        (TENCH, "1", "target"),
        (ELEPHANT, "2", "distant"),
    ]


def test_a_study_without_answers_has_nothing_to_aggregate(labeler: Labeler, study: Path) -> None:
    outcome = labeler("crowd", "aggregate", study)
    assert outcome.code == 1
    assert NOTHING_TO_AGGREGATE in " ".join(outcome.err.split())


def test_the_report_judges_models_by_what_annotators_saw(
    labeler: Labeler, study: Path, answers: Path, tmp_path: Path
) -> None:
    write(
        answers,
        "participants",
        "participant,kind,description",
        *(f"{code},human," for code in PEOPLE),
        "net,model,",
    )
    write(
        answers,
        "predictions",
        "participant,dataset,image,rank,label,score,active_seconds,wall_seconds,shown_at,"
        "escape_hatch,alternative",
        *(f"net,val,{FISH},{rank},{label},,,,,0," for rank, label in ((1, GOLDFISH), (2, TENCH))),
        *(f"net,val,{BOTH},{rank},{label},,,,,0," for rank, label in ((1, CAT), (2, TENCH))),
    )
    assert labeler("import", study, answers).code == 0
    assert labeler("crowd", "aggregate", study).code == 0
    out = tmp_path / "report"
    assert labeler("report", study, "--out", out, "--format", "json,csv,html").code == 0

    crowd = json.loads((out / "report.json").read_text(encoding="utf-8"))["crowd"]
    sure = {"mean_confidence": 1.0, "ci_low": 1.0, "ci_high": 1.0}
    assert crowd["objects"] == [{"dataset": "val", "num_objects": 2, "images": 1, **sure}]
    assert crowd["cooccurrence"] == [
        {"dataset": "val", "label": TENCH, "other_label": CAT, "images": 1}
    ]
    one_of_one = {"ci_low": pytest.approx(0.025), "ci_high": 1.0}
    assert crowd["main_differs"] == {"dataset": "val", "images": 1, "of": 1, **one_of_one}
    correction = {"corrections": 1, "in_other_object": 1, **one_of_one}
    assert crowd["top5_corrections"] == [{"participant": "net", "dataset": "val", **correction}]
    right = {
        row["metric"]: (row["correct"], row["total"])
        for row in crowd["accuracy_by_objects"]
        if row["objects"] == "2+"
    }
    assert right == {
        "top1": (0, 1),
        "top5": (1, 1),
        "object_label": (1, 1),
        "any_object": (1, 1),
        "main_label": (1, 1),
    }
    (judged,) = crowd["human_based"]
    # Annotators weren't asked whether the fish is a goldfish.
    assert (judged["asked"], judged["unasked"]) == (1, 1)
    assert judged["mean_prediction_frequency"] == 1.0
    assert [a["participant"] for a in crowd["annotators"] if a["excluded"]] == ["careless"]
    assert (out / "tables" / "crowd-objects.csv").is_file()


def test_a_report_without_annotators_has_no_crowd_tables(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    assert labeler("report", study, "--out", out, "--format", "json,csv").code == 0
    crowd = json.loads((out / "report.json").read_text(encoding="utf-8"))["crowd"]
    assert crowd["objects"] == crowd["suspects"] == crowd["annotators"] == []
    assert not list(out.glob("tables/crowd-*"))
