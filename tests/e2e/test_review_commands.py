"""The review by command: plan, import verdicts, resolve, tell."""

import json
from io import StringIO
from pathlib import Path

import pytest

from labeler.app.review.resolution import ReviewCoverage
from labeler.cli import main
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from tests.proposals import DATASET, ELEPHANT, TUSKER


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study from files: three reviewers judged two labels of one image."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "datasets.csv").write_text(
        f"dataset,image,target,path,problematic\n{DATASET},a.jpg,{ELEPHANT},,\n"
    )
    people = "".join(f"{code},human,\n" for code in "RST")
    (folder / "participants.csv").write_text(f"participant,kind,description\n{people}")
    verdicts = [
        *((code, ELEPHANT, "correct") for code in "RST"),
        ("R", TUSKER, "correct"),
        ("S", TUSKER, "correct"),
        ("T", TUSKER, "wrong"),
    ]
    rows = "".join(
        f"{code},{DATASET},a.jpg,{label},{verdict},,initial,\n" for code, label, verdict in verdicts
    )
    (folder / "reviews.csv").write_text(
        f"reviewer,dataset,image,label,verdict,kind,stage,at\n{rows}"
    )
    path = tmp_path / "study"
    assert main(["new", str(path)]) == 0
    assert main(["import", str(path), str(folder)]) == 0
    return path


def states(study: Path, folder: Path) -> set[str]:
    assert main(["export", str(study), str(folder)]) == 0
    return set((folder / "multilabels.csv").read_text().splitlines()[1:])


@pytest.mark.parametrize(
    ("arguments", "tusker"),
    [
        (["--rule", "single"], "correct"),
        (["--rule", "single", "--reviewer", "T"], "wrong"),
        (["--rule", "majority"], "correct"),
        (["--rule", "unanimous"], "unclear"),
        (["--rule", "adjudicated"], "unclear"),
    ],
)
def test_each_rule_resolves_the_verdicts_into_multilabels(
    study: Path, tmp_path: Path, arguments: list[str], tusker: str
) -> None:
    assert main(["resolve", str(study), *arguments]) == 0
    assert states(study, tmp_path / "out") == {
        f"{DATASET},a.jpg,{TUSKER},{tusker}",
        f"{DATASET},a.jpg,{ELEPHANT},correct",
    }


def test_dawid_skene_writes_the_probabilities(study: Path, tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    arguments = ["resolve", str(study), "--rule", "dawid-skene", "--probabilities", str(file)]
    assert main(arguments) == 0
    lines = file.read_text().splitlines()
    assert lines[0] == "dataset,image,label,p_wrong,p_unclear,p_correct"
    assert len(lines) == 3


def test_a_rule_is_needed_and_an_unknown_one_is_wrong_usage(study: Path) -> None:
    assert main(["resolve", str(study)]) == 2
    assert main(["resolve", str(study), "--rule", "loudest"]) == 2


def test_what_was_judged_in_files_is_not_planned_again(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review-plan", str(study), "--stage", "initial"]) == 1
    assert "no labels to judge" in capsys.readouterr().err


def test_a_plan_tells_its_judgements(
    tmp_path: Path, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "datasets.csv").write_text(
        f"dataset,image,target,path,problematic\n{DATASET},b.jpg,{TUSKER},,\n"
    )
    assert main(["import", str(study), str(more)]) == 0
    capsys.readouterr()
    arguments = ["review-plan", str(study), "--stage", "initial", "--overlap", "2", "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["new_labels"], report["decoys"]) == (2, 1)
    assert sum(report["judgements"].values()) == 4
    assert report["estimated_seconds"] is None
    assert main(["review-plan", str(study), "--stage", "initial", "--overlap", "2"]) == 0
    assert "Nothing to add" in capsys.readouterr().out


def test_a_preview_says_what_a_plan_reveals_and_stores_nothing(
    tmp_path: Path, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more"
    more.mkdir()
    classes = load_default().class_wnids[::50]
    images = "".join(f"{DATASET},{wnid}.jpg,{wnid},,\n" for wnid in classes)
    (more / "datasets.csv").write_text(f"dataset,image,target,path,problematic\n{images}")
    assert main(["import", str(study), str(more)]) == 0
    arguments = ["review-plan", str(study), "--stage", "initial", "--reviewer", "R"]
    for more_arguments, probability in (["--no-decoys"], "1.00"), ([], "0.50"):
        capsys.readouterr()
        assert main([*arguments, *more_arguments, "--preview"]) == 0
        shown = capsys.readouterr().out
        assert f"comes from the target with probability {probability}" in shown
    assert "20 decoys that nobody proposed cost 20 of the 40 judgements." in shown
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["new_labels"] == 40


def test_the_reviewers_are_told_to_the_lead(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["reviewers", str(study)]) == 0
    report = capsys.readouterr().out
    assert "R: 2 judgements" in report
    assert "3 reviewers on 2 shared labels" in report
    assert main(["reviewers", str(study), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"]["raters"] == 3


def test_the_truth_is_binary_by_default_and_three_on_request(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["resolve", str(study), "--rule", "dawid-skene", "--json"]
    capsys.readouterr()
    for options, truth, threshold in (
        ([], "binary", 0.5),
        (["--truth", "binary", "--threshold", "0.9"], "binary", 0.9),
        (["--truth", "three"], "three", None),
    ):
        assert main([*command, *options]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["truth"], report["threshold"]) == (truth, threshold)
    assert main([*command, "--truth", "three", "--threshold", "0.9"]) == 1
    assert main([*command, "--threshold", "0.4"]) == 2
    assert main(["resolve", str(study), "--rule", "majority", "--truth", "binary"]) == 1


def test_both_bases_of_multi_label_images_are_stated(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["resolve", str(study), "--rule", "majority"]) == 0
    out = capsys.readouterr().out
    assert "100.0% of the 1 with a correct label" in out
    assert "100.0% of all 1 judged" in out


def test_few_judged_labels_are_stated_and_no_question_is_asked_without_a_terminal(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_study(study, clock=SystemClock()) as store, store.write() as transaction:
        transaction.participants.set_roles("R", [Role.REVIEWER])
    folder = tmp_path / "more"
    folder.mkdir()
    rows = "".join(f"{DATASET},{n}.jpg,{ELEPHANT},,\n" for n in range(9))
    (folder / "datasets.csv").write_text(f"dataset,image,target,path,problematic\n{rows}")
    assert main(["import", str(study), str(folder)]) == 0
    plan = ["review-plan", str(study), "--stage", "initial", "--reviewer", "R", "--no-decoys"]
    assert main(plan) == 0
    capsys.readouterr()
    assert main(["resolve", str(study), "--rule", "majority"]) == 0
    assert ReviewCoverage(0, 9).sentence() in capsys.readouterr().out
    assert main(["resolve", str(study), "--rule", "majority", "--yes", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["judged_labels"], report["planned_labels"]) == (0, 9)


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("y\n", 0)])
def test_a_terminal_is_asked_before_few_labels_are_resolved(
    study: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    code: int,
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(
        "labeler.commands.review.review_coverage", lambda _store: ReviewCoverage(1, 10)
    )
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert main(["resolve", str(study), "--rule", "majority"]) == code
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert main(["resolve", str(study), "--rule", "majority", "--yes"]) == 0
