"""Files that can't be read, runs that were killed, and who may read a study."""

import grp
import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.e2e.conftest import Labeler


@pytest.mark.parametrize(
    "command",
    [
        ("new", "OTHER", "--names", "PIPE"),
        ("new", "OTHER", "--taxonomy", "PIPE"),
        ("settings", "STUDY", "--names", "PIPE"),
        ("report", "STUDY", "--out", "OTHER", "--groups", "PIPE"),
        ("import-factors", "STUDY", "PIPE"),
        ("import-confusions", "STUDY", "PIPE", "--outside-study"),
        ("crowd", "answers", "STUDY", "PIPE"),
        ("crowd", "tasks", "STUDY", "OTHER", "--texts", "PIPE"),
        ("score", "STUDY", "--testbed", "PIPE"),
        ("models", "--results", "PIPE"),
    ],
    ids=" ".join,
)
def test_no_command_waits_for_a_pipe(
    labeler: Labeler, tmp_path: Path, command: tuple[str, ...]
) -> None:
    assert labeler("new", tmp_path / "study").code == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    places = {"STUDY": tmp_path / "study", "OTHER": tmp_path / "other", "PIPE": pipe}
    outcome = labeler(*(places.get(word, word) for word in command))
    assert outcome.code == 1
    assert "is a pipe or a device" in outcome.err
    assert not (tmp_path / "other").exists()


def test_references_that_were_killed_while_panels_were_built_can_be_run_again(
    labeler: Labeler, imagenet: Path
) -> None:
    study = imagenet / "study"
    command = ("references", study, imagenet / "train", "--per-class", "2")
    assert labeler("new", study).code == 0
    assert labeler(*command).code == 0
    before = sorted(file.name for file in (study / "thumbnails").iterdir())
    # As after a kill: the images are added, and some panels are missing.
    for file in sorted((study / "thumbnails").iterdir())[1:]:
        file.unlink()
    outcome = labeler(*command)
    assert outcome.code == 0, outcome.err
    assert sorted(file.name for file in (study / "thumbnails").iterdir()) == before
    other = labeler("references", study, imagenet / "train", "--per-class", "1")
    assert other.code == 1, "other options are another dataset"


def modes(folder: Path) -> set[tuple[bool, int]]:
    """Whether each part is a folder, and its permissions."""
    parts = [folder, *folder.rglob("*")]
    return {(part.is_dir(), stat.S_IMODE(part.stat().st_mode)) for part in parts}


@pytest.fixture
def worked(labeler: Labeler, imagenet: Path) -> Path:
    """A study with everything that a command creates: panels, a backup, exports elsewhere."""
    study = imagenet / "study"
    for command in (
        ("new", study),
        ("references", study, imagenet / "train", "--per-class", "2"),
        ("backup", study),
    ):
        assert labeler(*command).code == 0
    return study


def test_only_the_owner_reads_a_study(worked: Path) -> None:
    assert modes(worked) == {(True, 0o700), (False, 0o600)}


def test_a_restored_study_is_as_private(labeler: Labeler, worked: Path) -> None:
    backup = next((worked / "backups").glob("*.db")).name
    outcome = labeler("backup", worked, "--restore", backup)
    assert outcome.code == 0, outcome.err
    assert modes(worked) == {(True, 0o700), (False, 0o600)}


def test_the_lead_can_let_a_group_read_it_and_take_that_back(
    labeler: Labeler, worked: Path, imagenet: Path
) -> None:
    group = grp.getgrgid(os.getgid()).gr_name
    assert labeler("settings", worked, "--group", group).code == 0
    assert modes(worked) == {(True, 0o2770), (False, 0o660)}
    shutil.rmtree(worked / "thumbnails")
    assert labeler("references", worked).code == 0
    assert labeler("backup", worked).code == 0
    assert modes(worked) == {(True, 0o2770), (False, 0o660)}, "what is new follows"
    assert labeler("settings", worked, "--no-group").code == 0
    assert modes(worked) == {(True, 0o700), (False, 0o600)}
    shared = imagenet / "shared"
    assert labeler("new", shared, "--group", group).code == 0
    assert modes(shared) == {(True, 0o2770), (False, 0o660)}


def test_an_unknown_group_is_refused(labeler: Labeler, tmp_path: Path) -> None:
    outcome = labeler("new", tmp_path / "study", "--group", "no-such-group")
    assert outcome.code == 1
    assert "no-such-group" in outcome.err
    assert not (tmp_path / "study").exists()
