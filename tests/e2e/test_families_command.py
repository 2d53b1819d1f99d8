"""`labeler families` keeps lists of classes that everyone can train on."""

from pathlib import Path

import pytest

from labeler.commands.classes import NO_FAMILIES
from tests.e2e.conftest import Labeler

MARMOT, BEAVER = "n02361337", "n02363005"


@pytest.fixture
def study(labeler: Labeler, tmp_path: Path) -> Path:
    assert labeler("new", tmp_path / "study").code == 0
    assert labeler("participants", tmp_path / "study", "add", "L", "--role", "lead").code == 0
    return tmp_path / "study"


def test_a_family_is_saved_by_names_or_wnids_listed_and_forgotten(
    labeler: Labeler, study: Path
) -> None:
    assert labeler("families", study).out == f"{NO_FAMILIES}\n"

    saved = labeler("families", study, "save", "Rodents of ours", "marmot", BEAVER)

    assert (saved.code, saved.out) == (0, "Rodents of ours: 2 classes (marmot, beaver)\n")
    listed = labeler("families", study, "--json").json
    assert listed == [{"family": "Rodents of ours", "classes": [MARMOT, BEAVER]}]
    assert labeler("families", study, "forget", "Rodents of ours").code == 0
    assert labeler("families", study, "--json").json == []


def test_a_branch_represents_all_its_classes(labeler: Labeler, study: Path) -> None:
    assert "26 classes" in labeler("families", study, "save", "Terriers", "terrier").out


def test_what_is_no_family_is_refused(labeler: Labeler, study: Path) -> None:
    unknown = labeler("families", study, "save", "Beasts", "unicorn")

    assert (unknown.code, unknown.err) == (
        1,
        "labeler: 'unicorn' is neither a class nor a branch of the taxonomy.\n",
    )
    assert labeler("families", study, "save", "Nothing").code == 1
    assert labeler("families", study, "forget", "Beasts").code == 1
    assert labeler("families", study, "save").code == 2


def test_without_a_lead_nothing_is_everybodys(labeler: Labeler, tmp_path: Path) -> None:
    labeler("new", tmp_path / "orphan")

    refused = labeler("families", tmp_path / "orphan", "save", "Rodents", "marmot")

    assert refused.code == 1
    assert "--role lead" in refused.err
