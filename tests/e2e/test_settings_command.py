"""A lead sets what a study asks for, and a passphrase that no one sees."""

import io

import pytest

from labeler.app.study.settings import check_lead_passphrase
from labeler.core.clock import SystemClock
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from tests.e2e.conftest import Labeler, Outcome


@pytest.fixture
def study(labeler: Labeler, tmp_path):
    assert labeler("new", tmp_path / "study").code == 0
    return tmp_path / "study"


def test_settings_are_shown_and_changed(labeler: Labeler, study) -> None:
    assert labeler("settings", study).out.split() == [
        "ask_confidence",
        "no",
        "idle_seconds",
        "120",
        "washout_days",
        "0",
        "show_frequencies",
        "no",
        "lead_passphrase",
        "no",
    ]

    outcome = labeler(
        "settings", study, "--ask-confidence", "--idle-seconds", 90, "--washout-days", 14, "--json"
    )

    now = {
        "ask_confidence": True,
        "idle_seconds": 90,
        "washout_days": 14,
        "show_frequencies": False,
        "lead_passphrase": False,
    }
    assert (outcome.code, outcome.json) == (0, now)
    assert labeler("settings", study, "--no-ask-confidence", "--json").json == {
        **now,
        "ask_confidence": False,
    }


def test_probabilities_of_confidence_are_assigned_before_the_evaluation(
    labeler: Labeler, study
) -> None:
    def assign(*percents: int) -> Outcome:
        return labeler("settings", study, "--confidence-probabilities", *percents, "--json")

    percents = ["10", "30", "50", "75", "95"]
    assert assign(10, 30, 50, 75, 95).json["confidence_probabilities"] == percents
    assert assign(10, 30, 50, 50, 95).code == 1
    with open_study(study, clock=SystemClock()) as store, store.write() as opened:
        opened.phases.open(Phase.EVALUATE)
    outcome = assign(20, 40, 60, 80, 99)
    assert outcome.code == 1
    assert "in advance" in outcome.err
    assert labeler("settings", study, "--json").json["confidence_probabilities"] == percents


def test_a_threshold_without_sense_is_refused(labeler: Labeler, study) -> None:
    outcome = labeler("settings", study, "--idle-seconds", 0)

    assert outcome.code == 1
    assert "between 1 and 3,600 seconds" in outcome.err


def test_a_passphrase_is_typed_twice_and_removed_by_an_option(
    labeler: Labeler, study, monkeypatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("sesame\nsesam\nsesame\nsesame\n"))
    monkeypatch.setattr("click.termui.hidden_prompt_func", lambda _prompt: input())

    outcome = labeler("settings", study, "--lead-passphrase")

    assert outcome.code == 0
    assert "sesame" not in outcome.out + outcome.err
    with open_study(study, clock=SystemClock()) as store:
        assert check_lead_passphrase(store, "sesame")
        assert not check_lead_passphrase(store, "sesam")
    assert labeler("settings", study, "--no-lead-passphrase", "--json").json == {
        "ask_confidence": False,
        "idle_seconds": 120,
        "washout_days": 0,
        "show_frequencies": False,
        "lead_passphrase": False,
    }


def test_names_in_other_languages_are_given_and_replaced(labeler: Labeler, study, tmp_path) -> None:
    file = tmp_path / "deu.csv"
    file.write_text("wnid,name\nn02363005,Biper\n")
    assert labeler("settings", study, "--names", file, "--json").json["names"] == ["deu"]
    file.write_text("wnid,name\nn02363005,Biber\n")
    refused = labeler("settings", study, "--names", file)
    assert refused.code == 1
    assert "already has names in deu" in refused.err
    assert "--replace-names" in refused.err
    labeler("settings", study, "--names", file, "--replace-names")
    with open_study(study, clock=SystemClock()) as store:
        assert store.taxonomy["n02363005"].lemmas[-1] == "Biber"
