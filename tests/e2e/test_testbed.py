"""`labeler score` in a terminal, with processes that have no model: quick, and real otherwise."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Labeler
from tests.scored_study import LOAD_SCORER, make_scored_study
from tests.stand_in_worker import REFUSAL, load_stand_in


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(LOAD_SCORER, load_stand_in)
    return make_scored_study(tmp_path)


def test_a_model_that_fails_doesnt_keep_others_from_their_turn(
    labeler: Labeler, study: Path
) -> None:
    testbed = study.parent / "testbed.toml"
    testbed.write_text(
        "\n".join(f"[[model]]\nmodel = '{name}'" for name in ("refuses", "scores")),
        encoding="utf-8",
    )
    done = labeler("score", study, "--testbed", testbed)
    assert done.code == 1
    assert "scores on new: 40 images scored. Top-1: 100.0%." in done.out
    assert "1 of 2 models weren't scored" in done.err
    assert f"refuses: {REFUSAL}" in done.err


def test_a_dataset_and_a_name_can_be_chosen(labeler: Labeler, study: Path) -> None:
    options = ("--model", "scores", "--name", "mine", "--dataset", "new", "--ranks", "2")
    done = labeler("score", study, *options, "--json")
    assert [(row["model"], row["dataset"]) for row in done.json["scored"]] == [("mine", "new")]
    assert done.err == ""
    again = labeler("score", study, *options)
    assert again.out == "mine on new: 40 images scored (it was there already). Top-1: 100.0%.\n"


def test_an_unknown_dataset_is_refused(labeler: Labeler, study: Path) -> None:
    refused = labeler("score", study, "--model", "scores", "--dataset", "val")
    assert (refused.code, "it has: original, new" in refused.err) == (1, True)
