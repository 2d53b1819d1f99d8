"""What a new study needs before it can be made."""

from pathlib import Path

import pytest

from labeler.app.study.start import (
    FolderProposal,
    NewStudyField,
    NewStudyForm,
    field_at_fault,
    new_study_problem,
    proposed_folder,
)
from labeler.core.classes.taxonomy import NOT_A_TAXONOMY
from labeler.core.errors import NAME_TOO_LONG, EnvironmentFault, InputError


def test_a_folder_is_proposed_from_the_name(tmp_path: Path) -> None:
    proposal = proposed_folder(" Birds & Dogs, 2nd ", inside=tmp_path)
    assert proposal == FolderProposal(tmp_path / "birds-dogs-2nd")


def test_a_folder_that_is_taken_is_named_beside_the_one_that_is_proposed(tmp_path: Path) -> None:
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds-2").mkdir()
    proposal = proposed_folder("Birds", inside=tmp_path)
    assert proposal.folder == tmp_path / "birds-3"
    assert proposal.taken == "Something else lies in “birds”."


def test_a_study_that_may_have_the_same_name_is_told_before_the_second_is_made(
    tmp_path: Path,
) -> None:
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds" / "study.db").touch()
    assert "from the study that lies in “birds”" in proposed_folder("Birds", inside=tmp_path).taken


@pytest.mark.parametrize("name", ["", "  ", "///", "..", "…"])
def test_a_name_that_makes_no_folder_gets_a_plain_one(tmp_path: Path, name: str) -> None:
    assert proposed_folder(name, inside=tmp_path).folder == tmp_path / "study"


@pytest.mark.parametrize("letter", ["a", "あ", "\N{DESERET SMALL LETTER LONG I}"])
def test_a_very_long_name_gets_a_folder_that_can_be_made(tmp_path: Path, letter: str) -> None:
    folder = proposed_folder(letter * 500, inside=tmp_path).folder
    folder.mkdir()
    assert proposed_folder(letter * 500, inside=tmp_path).folder.name == f"{folder.name}-2"


def test_a_sound_wish_has_nothing_against_it(tmp_path: Path) -> None:
    wanted = NewStudyForm(name="Birds", folder=tmp_path / "birds", lead_code="L", passphrase="x")
    assert new_study_problem(wanted, passphrase_again="x") is None
    tmp_path.joinpath("birds").mkdir()
    assert new_study_problem(wanted, passphrase_again="x") is None


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sound = {"name": "Birds", "folder": tmp_path / "birds", "lead_code": "L"}
    for changes, result, part in (
        ({"name": " "}, "Give the study a name.", NewStudyField.NAME),
        ({"folder": tmp_path}, "isn't empty: choose a new one.", NewStudyField.FOLDER),
        ({"folder": tmp_path / "file"}, "isn't empty: choose a new one.", NewStudyField.FOLDER),
        ({"folder": Path()}, "Choose a folder", NewStudyField.FOLDER),
        (
            {"folder": tmp_path / ("a" * 300)},
            NAME_TOO_LONG,
            NewStudyField.FOLDER,
        ),
        ({"lead_code": "a b"}, "A code has up to 64 characters", NewStudyField.CODE),
        ({"lead_code": ""}, "Give yourself a code", NewStudyField.CODE),
        ({"passphrase": "x"}, "The two passphrases differ.", NewStudyField.PASSPHRASE),
        ({"taxonomy": Path()}, "Choose the taxonomy's file", NewStudyField.TAXONOMY),
        ({"taxonomy": tmp_path / "none.json"}, "There is no file", NewStudyField.TAXONOMY),
        ({"names": (tmp_path / "file", tmp_path / "none.tab")}, "none.tab", NewStudyField.NAMES),
    ):
        lack = new_study_problem(NewStudyForm(**{**sound, **changes}), passphrase_again="")  # type: ignore[arg-type]
        assert lack is not None
        assert result in lack.sentence
        assert lack.about is part


def test_an_error_in_the_making_leads_to_what_it_is_about(tmp_path: Path) -> None:
    names, taxonomy = tmp_path / "suomi.csv", tmp_path / "few.json"
    wanted = NewStudyForm(
        name="Few", folder=tmp_path / "few", lead_code="L", taxonomy=taxonomy, names=(names,)
    )
    for error, part in (
        (InputError("it names no noun.", file=names), NewStudyField.NAMES),
        (InputError(NOT_A_TAXONOMY, file=taxonomy), NewStudyField.TAXONOMY),
        (EnvironmentFault("The study can't be made there."), NewStudyField.FOLDER),
        (ValueError("ours"), None),
    ):
        assert field_at_fault(error, wanted) is part
