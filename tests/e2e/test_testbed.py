"""`labeler score` in a terminal, with processes that have no model: quick, and real otherwise."""

from pathlib import Path

import pytest

from labeler.commands.models import TESTBED_IS_WHOLE, TOML_OR_JSON
from labeler.commands.scoring import ONE_MODEL_ONLY
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
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


def test_the_batch_size_is_for_models_of_a_testbed_without_their_own(
    labeler: Labeler, study: Path
) -> None:
    testbed = study.parent / "testbed.toml"
    testbed.write_text(
        "[[model]]\nmodel = 'scores'\n[[model]]\nmodel = 'scores'\nname = 'own'\nbatch_size = 2",
        encoding="utf-8",
    )
    done = labeler("score", study, "--testbed", testbed, "--batch-size", "4")
    assert done.code == 0
    with open_study(study, clock=SystemClock()) as store, store.read() as opened:
        rows = [opened.model_predictions.find(name, "new") for name in ("scores", "own")]
    assert [row and row.provenance["runs"][0]["batch_size"] for row in rows] == [4, 2]


@pytest.mark.parametrize(
    "option", [("--name", "mine"), ("--checkpoint", "mine.pth"), ("--classes", "mine.txt")]
)
def test_options_of_one_model_are_refused_with_a_testbed(
    labeler: Labeler, study: Path, option: tuple[str, str]
) -> None:
    refused = labeler("score", study, "--testbed", study.parent / "testbed.toml", *option)
    assert (refused.code, ONE_MODEL_ONLY in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("resnet",), TESTBED_IS_WHOLE),
        (("--limit", "2"), TESTBED_IS_WHOLE),
        (("--results", "results-imagenet.csv"), TESTBED_IS_WHOLE),
        (("--toml", "--json"), TOML_OR_JSON),
    ],
)
def test_the_papers_testbed_ignores_no_option(
    labeler: Labeler, options: tuple[str, ...], message: str
) -> None:
    refused = labeler("models", "--testbed", *options)
    assert (refused.code, message in refused.err) == (2, True)


def test_a_dataset_and_a_name_can_be_chosen(labeler: Labeler, study: Path) -> None:
    options = ("--model", "scores", "--name", "mine", "--dataset", "new", "--ranks", "2")
    done = labeler("score", study, *options, "--json")
    assert [(row["model"], row["dataset"]) for row in done.json["scored"]] == [("mine", "new")]
    assert done.err == ""
    again = labeler("score", study, *options)
    assert again.out == "mine on new: 40 images scored (already complete). Top-1: 100.0%.\n"


def test_an_unknown_dataset_is_refused(labeler: Labeler, study: Path) -> None:
    refused = labeler("score", study, "--model", "scores", "--dataset", "val")
    assert (refused.code, "The study has: original, new" in refused.err) == (1, True)
