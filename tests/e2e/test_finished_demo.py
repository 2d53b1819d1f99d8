"""The finished demo: simulated people went through the whole study, and say that they are."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from labeler.core.clock import SystemClock
from labeler.core.metrics.omissions import FIT_INTERVALS
from labeler.core.study.phases import PhaseState
from labeler.store.study_opening import open_study
from tests.e2e.conftest import Labeler
from tests.shared_finished_demo import SMALL, shared_finished_demo, take_once_more


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from labeler.cli import main

    out = tmp_path_factory.mktemp("finished")
    asked = ["--out", str(out), "--format", "json"]
    assert main(["report", str(shared_finished_demo()), *asked]) == 0
    read: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return read


def test_every_phase_is_locked_and_nothing_is_left_open(report: dict[str, Any]) -> None:
    assert set(report["phases"].values()) == {"locked"}
    assert [row["what"] for row in report["not_given"]] == [FIT_INTERVALS]
    assert report["review_changes"]["added"] > 0
    assert report["agreement"]["reviewers"]["units"] > 0
    assert report["learning"]


def test_every_human_row_says_that_it_is_simulated(report: dict[str, Any]) -> None:
    humans = {row["participant"] for row in report["accuracy"] if row["kind"] == "human"}
    assert humans == {person.code for person in SMALL.labelers}
    assert all(code.startswith("simulated") for code in humans)
    models = {row["participant"] for row in report["accuracy"] if row["kind"] == "model"}
    assert models == {f"tf_efficientnet_lite{number}" for number in range(3)}


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    again = Path(shutil.copytree(shared_finished_demo(), tmp_path / "again"))
    take_once_more(again)
    with (
        open_study(shared_finished_demo(), clock=SystemClock()) as first,
        open_study(again, clock=SystemClock()) as second,
        first.read() as here,
        second.read() as there,
    ):
        assert here.report_answers.fingerprints() == there.report_answers.fingerprints()
        assert set(there.phases.states().values()) == {PhaseState.LOCKED}


@pytest.mark.parametrize("option", [(), ("--finished",)])
def test_another_study_is_not_made_a_demo(
    option: tuple[str, ...], labeler: Labeler, tmp_path: Path
) -> None:
    assert labeler("new", tmp_path / "own").code == 0
    refused = labeler("demo", tmp_path / "own", "--no-gui", *option)
    assert (refused.code, "another study, 'own'" in refused.err) == (1, True)
    assert not (tmp_path / "own" / "pictures").exists()
