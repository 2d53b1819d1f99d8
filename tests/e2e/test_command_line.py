"""How the command line behaves towards newcomers, scripts and mistakes."""

from pathlib import Path

import pytest

from labeler.app.logs import log_file
from labeler.cli import COMMANDS
from tests.e2e.conftest import Labeler


def test_help_lists_every_command_with_a_sentence(labeler: Labeler) -> None:
    outcome = labeler("--help")
    assert outcome.code == 0
    lines = [line.strip() for line in outcome.out.partition("Commands:")[2].splitlines()]
    described = {line.split(maxsplit=1)[0]: line for line in lines if line}
    assert set(COMMANDS) <= set(described)
    assert all(len(described[name].split()) > 3 for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(labeler: Labeler, command: str) -> None:
    outcome = labeler(command, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: labeler {command}")


def test_wrong_usage_ends_with_2(labeler: Labeler) -> None:
    assert labeler("add-dataset").code == 2
    assert labeler("sample", "x", "--per-class", "many").code == 2


def test_a_misspelled_command_is_recognised(labeler: Labeler) -> None:
    outcome = labeler("exprot", "a", "b")
    assert outcome.code == 2
    assert "labeler export" in outcome.err


def test_a_study_that_is_not_there_is_reported(labeler: Labeler, tmp_path: Path) -> None:
    outcome = labeler(tmp_path / "nothing")
    assert outcome.code == 1
    assert "There is no study at" in outcome.err


@pytest.mark.parametrize(
    "command", [("check",), ("phase",), ("participants",), ("sample",), ("backup",)]
)
def test_every_command_refuses_a_folder_that_is_no_study(
    labeler: Labeler, tmp_path: Path, command: tuple[str, ...]
) -> None:
    outcome = labeler(*command, tmp_path)
    assert outcome.code == 1
    assert outcome.err.startswith("labeler: There is no study at")
    assert "Traceback" not in outcome.err


def test_a_defect_of_ours_is_no_traceback_but_an_incident(
    labeler: Labeler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("labeler.commands.study.new_study", fail)
    outcome = labeler("new", tmp_path / "s")
    assert outcome.code == 1
    assert "incident" in outcome.err
    assert "ZeroDivisionError" not in outcome.err
    assert str(log_file()) in outcome.err
    assert "ZeroDivisionError: a defect" in log_file().read_text(encoding="utf-8")


def test_the_log_command_prints_where_the_file_is(labeler: Labeler) -> None:
    assert labeler("log").out == f"{log_file()}\n"
    assert labeler("log", "--json").json == {"file": str(log_file())}
    assert log_file().is_file()


def test_a_verbose_command_logs_transactions_to_the_file_and_to_stderr(
    labeler: Labeler, tmp_path: Path
) -> None:
    assert labeler("new", tmp_path / "quiet").err == ""
    assert "transaction" not in log_file().read_text(encoding="utf-8")
    outcome = labeler("--verbose", "new", tmp_path / "s")
    for text in (outcome.err, log_file().read_text(encoding="utf-8")):
        assert "write transaction duration_ms=" in text
    assert "transaction" not in outcome.out


def test_classes_are_searched_as_in_the_window(labeler: Labeler) -> None:
    rows = labeler("classes", "cic", "nig", "--json").json
    assert rows[0] == {
        "rank": 1,
        "index": 128,
        "wnid": "n02002556" if rows[0]["index"] == 127 else "n02002724",
        "name": "black stork",
        "path": rows[0]["path"],
    }
    assert "wading birds › storks" in rows[0]["path"]


def test_without_a_query_all_classes_are_listed(labeler: Labeler) -> None:
    rows = labeler("classes", "--json").json
    assert [row["index"] for row in rows] == list(range(1000))
    assert len({row["name"] for row in rows}) == 1000
