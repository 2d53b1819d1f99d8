"""`labeler report`, on a study whose numbers are worked out by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from labeler.cli import main
from labeler.core.metrics.omissions import FIT_INTERVALS
from tests.e2e.golden_study import write_golden

Report = dict[str, Any]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("golden")
    assert main(["new", str(place / "study")]) == 0
    assert main(["import", str(place / "study"), str(write_golden(place / "files"))]) == 0
    return place / "study"


@pytest.fixture(scope="module")
def report(study: Path) -> Report:
    out = study.parent / "out"
    asked = ["--format", "json", "--subset", "subtree:n02087122"]
    assert main(["report", str(study), "--out", str(out), *asked]) == 0
    read: Report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return read


def share(
    report: Report, who: str, dataset: str, subset: str, metric: str
) -> tuple[int, int] | None:
    rows = [
        (row["correct"], row["total"])
        for row in report["accuracy"]
        if (row["participant"], row["dataset"]) == (who, dataset)
        and (row["subset"], row["metric"]) == (subset, metric)
    ]
    assert len(rows) <= 1
    return rows[0] if rows else None


def test_images_are_counted_once_and_left_out_for_one_reason(report: Report) -> None:
    original, new = report["datasets"]
    assert original["dataset"] == "original"
    assert (original["images"], original["evaluated"]) == (6, 4)
    assert (original["problematic"], original["without_correct_label"]) == (1, 1)
    # o2 alone has two correct labels.
    assert original["multi_label_images"] == 1
    assert original["mean_labels_of_multi_label_images"] == 2.0
    assert (new["images"], new["evaluated"], new["multi_label_images"]) == (3, 3, 0)
    assert new["mean_labels_of_multi_label_images"] is None


@pytest.mark.parametrize(
    ("who", "dataset", "subset", "metric", "expected"),
    [
        # o1 and o3 and o4 of four; the pug on o2 is accepted by the multi-label.
        ("A", "original", "all", "top1", (3, 4)),
        ("A", "original", "all", "multi_label", (4, 4)),
        # Imputed, A says pug on o3, which is only unclear.
        ("A", "original", "all", "multi_label_imputed", (3, 4)),
        # C has no answer on o4.
        ("C", "original", "all", "top1", (1, 3)),
        ("m1", "original", "all", "top1", (2, 4)),
        ("m1", "original", "all", "top5", (4, 4)),
        ("m2", "original", "all", "top5", None),
        ("m1", "original", "all", "multi_label_imputed", None),
        # n3 was judged by no one: top-1 counts it, the multi-label doesn't.
        ("A", "new", "all", "top1", (1, 3)),
        ("A", "new", "all", "multi_label", (0, 2)),
        ("A", "original", "dogs", "top1", (1, 2)),
        ("A", "original", "objects", "top1", (1, 1)),
        ("A", "original", "animals_without_dogs", "top1", (1, 1)),
        ("A", "original", "superclass:Birds", "top1", (1, 1)),
        # Hunting dogs hold the beagle and not the pug.
        ("A", "original", "subtree:n02087122", "multi_label", (1, 1)),
        ("B", "original", "problematic", "top1", (1, 1)),
        ("A", "original", "multi_label", "top1", (0, 1)),
        ("A", "original", "single_label", "top1", (3, 3)),
        # Medians: 50 s with all three, 60 s where C has no answer or no time (10 and 110).
        ("A", "original", "fast", "top1", (3, 4)),
        ("A", "new", "fast", "top1", (1, 3)),
        ("A", "new", "superclass:Birds", "multi_label", None),
    ],
)
def test_accuracies_are_those_worked_out_by_hand(
    *, report: Report, who: str, dataset: str, subset: str, metric: str, expected: tuple[int, int]
) -> None:
    assert share(report, who, dataset, subset, metric) == expected


def test_gaps_and_ranks(report: Report) -> None:
    gaps = {
        row["participant"]: row
        for row in report["gaps"]
        if (row["subset"], row["metric"]) == ("all", "top1")
    }
    # A: ¾ and ⅓; B: ¾ and 1; C: ⅓ and 1.
    a, b, c = gaps["A"], gaps["B"], gaps["C"]
    assert (a["dataset_original"], a["dataset_new"]) == ("original", "new")
    assert a["gap"] == pytest.approx(3 / 4 - 1 / 3)
    assert (a["rank_original"], a["rank_new"], a["rank_change"]) == (1, 3, -2)
    assert (b["rank_original"], b["rank_new"], b["rank_change"]) == (1, 1, 0)
    assert (c["rank_original"], c["rank_new"], c["rank_change"]) == (3, 1, 2)
    # The models are ranked among themselves: m1 ½ and ⅔, m2 ½ and ⅔.
    assert (gaps["m1"]["rank_original"], gaps["m2"]["rank_new"]) == (1, 1)


def test_mcnemar_looks_at_images_both_answered(report: Report) -> None:
    (row,) = [
        r
        for r in report["mcnemar"]
        if (r["a"], r["b"], r["dataset"], r["metric"]) == ("A", "C", "original", "top1")
    ]
    # On o1, o2, o3: A right, wrong, right; C right, wrong, wrong.
    assert (row["only_a_correct"], row["only_b_correct"]) == (1, 0)
    assert row["p_value"] == 1.0


def test_escape_hatches_times_and_lists(report: Report) -> None:
    (hatch,) = [
        r for r in report["escape_hatch"] if (r["participant"], r["dataset"]) == ("A", "original")
    ]
    assert (hatch["used"], hatch["accuracy"], hatch["accuracy_imputed"]) == (1, 1.0, 0.75)
    people = {r["participant"]: r for r in report["timing"]["per_participant"]}
    assert people["A"]["trials"] == 9
    assert people["A"]["total_active_hours"] == pytest.approx(90 / 3600)
    assert people["C"]["trials"] == 7
    assert report["timing"]["fast_images"] == {"original": 4, "new": 3}
    assert sum(report["timing"]["per_image_median_histogram"]["counts"]) == 9
    # o3: m1 and m2 say pug; A is right. n1: B, C and m2 are right.
    assert report["all_wrong"]["models"] == [{"dataset": "original", "image": "o3"}]
    assert report["all_wrong"]["humans"] == []


def test_accuracy_by_confidence_counts_the_answers_of_each_step(report: Report) -> None:
    rows = [row for row in report["confidence"] if row["metric"] == "top1"]
    assert [(r["participant"], r["dataset"], r["confidence"]) for r in rows] == [
        ("B", "original", 1),
        ("B", "original", 5),
    ]
    unsure, sure = rows
    assert (unsure["correct"], unsure["total"], unsure["accuracy"]) == (0, 1, 0.0)
    assert (unsure["ci_low"], unsure["ci_high"]) == pytest.approx((0.0, 0.975))
    assert (sure["correct"], sure["total"], sure["accuracy"]) == (3, 3, 1.0)
    # The lower limit solves p³ = 0.025.
    assert (sure["ci_low"], sure["ci_high"]) == pytest.approx((0.025 ** (1 / 3), 1.0))


def test_what_nobody_judged_counts_as_wrong_and_is_counted(report: Report) -> None:
    unjudged = {(r["participant"], r["dataset"]): r["predictions"] for r in report["unjudged"]}
    assert unjudged == {("A", "new"): 1, ("m1", "new"): 1}


def test_the_vote_of_three(report: Report) -> None:
    (vote,) = [
        r
        for r in report["humans_together"]
        if r["participant"] == "majority vote"
        and (r["dataset"], r["subset"], r["metric"]) == ("original", "all", "top1")
    ]
    # o1 pug; o2 three ways, a tie; o3 pug, wrong; o4 airliner by two.
    assert (vote["correct"], vote["total"], vote["ties"]) == (2, 4, 1)


def test_unclear_counts_only_by_the_other_convention(report: Report) -> None:
    (row,) = [
        r
        for r in report["accuracy_other"]
        if (r["participant"], r["dataset"], r["subset"]) == ("B", "original", "all")
        and (r["metric"], r["convention"]) == ("multi_label", "unclear_counts")
    ]
    # o1, o2 and o4 are correct, the pug on o3 is unclear.
    assert row["correct"] == 4
    assert share(report, "B", "original", "all", "multi_label") == (3, 4)


def test_two_models_make_a_line_without_an_interval_where_they_lie_apart(report: Report) -> None:
    # m1 and m2 have the same top-1 on all images: no line. By multi-label m1 has ¾ and ½, m2 ½
    # and ½: the line is level.
    fits = {(f["metric"], f["subset"], f["scale"]): f for f in report["fits"]}
    assert ("top1", "all", "linear") not in fits
    line = fits["multi_label", "all", "linear"]
    assert (line["slope"], line["intercept"]) == pytest.approx((0.0, 0.5))
    assert line["slope_ci"] is None
    assert any(FIT_INTERVALS in row["what"] for row in report["not_given"])


def test_imported_answers_count_as_locked(report: Report) -> None:
    assert report["evaluation_locked"] is True
    assert report["phases"]["evaluate"] == "closed"


def test_an_empty_study_has_a_report_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "study")]) == 0
    out = str(tmp_path / "out")
    assert main(["report", str(tmp_path / "study"), "--out", out]) == 0
    assert "no evaluation dataset" in capsys.readouterr().out


def test_a_wrong_format_or_subset_is_told(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wished = ["report", str(study), "--out", str(tmp_path / "out")]
    assert main([*wished, "--format", "docx"]) == 2
    assert "docx" in capsys.readouterr().err
    assert main([*wished, "--subset", "subtree:n99999999"]) == 1
    assert "n99999999" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_lead_says_which_datasets_are_compared(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", str(study), "--compare", "new", "original"]) == 0
    wished = ["report", str(study), "--out", str(tmp_path), "--format", "json"]
    assert main(wished) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["gaps"][0]["dataset_original"] == "new"
    assert main(["settings", str(study), "--compare", "new", "old"]) == 1
    assert "has no evaluation dataset 'old'" in capsys.readouterr().err
