"""What a new study needs before it can be created."""

from pathlib import Path

import pytest

from labeler.app.study.start import (
    FOLDER_NEEDED,
    FOLDER_NOT_EMPTY,
    NAME_NEEDED,
    OWN_CODE_NEEDED,
    PASSPHRASES_DIFFER,
    TAXONOMY_NEEDED,
    FolderProposal,
    NewStudyField,
    NewStudyForm,
    field_at_fault,
    new_study_problem,
    no_such_file_text,
    proposed_folder,
    taken_folder_text,
)
from labeler.core.classes.taxonomy import NOT_A_TAXONOMY
from labeler.core.errors import NAME_TOO_LONG, EnvironmentFault, InputError
from labeler.core.study.entities import CODE_RULE


def test_a_folder_is_proposed_from_the_name(tmp_path: Path) -> None:
    proposal = proposed_folder(" Birds & Dogs, 2nd ", inside=tmp_path)
    assert proposal == FolderProposal(tmp_path / "birds-dogs-2nd")


def test_an_existing_folder_is_named_in_the_proposal(tmp_path: Path) -> None:
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds-2").mkdir()
    proposal = proposed_folder("Birds", inside=tmp_path)
    assert proposal.folder == tmp_path / "birds-3"
    assert proposal.taken == taken_folder_text(tmp_path / "birds")


def test_an_existing_study_of_the_same_name_is_reported(
    tmp_path: Path,
) -> None:
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds" / "study.db").touch()
    assert "“birds” already holds a study" in proposed_folder("Birds", inside=tmp_path).taken


@pytest.mark.parametrize("name", ["", "  ", "///", "..", "…"])
def test_a_name_that_makes_no_folder_gets_a_plain_one(tmp_path: Path, name: str) -> None:
    assert proposed_folder(name, inside=tmp_path).folder == tmp_path / "study"


@pytest.mark.parametrize("letter", ["a", "あ", "\N{DESERET SMALL LETTER LONG I}"])
def test_a_very_long_name_gets_a_folder_that_can_be_made(tmp_path: Path, letter: str) -> None:
    folder = proposed_folder(letter * 500, inside=tmp_path).folder
    folder.mkdir()
    assert proposed_folder(letter * 500, inside=tmp_path).folder.name == f"{folder.name}-2"


def test_a_valid_form_has_no_problem(tmp_path: Path) -> None:
    wanted = NewStudyForm(name="Birds", folder=tmp_path / "birds", lead_code="L", passphrase="x")
    assert new_study_problem(wanted, passphrase_again="x") is None
    tmp_path.joinpath("birds").mkdir()
    assert new_study_problem(wanted, passphrase_again="x") is None


def test_invalid_entries_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sound = {"name": "Birds", "folder": tmp_path / "birds", "lead_code": "L"}
    for changes, result, part in (
        ({"name": " "}, NAME_NEEDED, NewStudyField.NAME),
        ({"folder": tmp_path}, FOLDER_NOT_EMPTY, NewStudyField.FOLDER),
        ({"folder": tmp_path / "file"}, FOLDER_NOT_EMPTY, NewStudyField.FOLDER),
        ({"folder": Path()}, FOLDER_NEEDED, NewStudyField.FOLDER),
        (
            {"folder": tmp_path / ("a" * 300)},
            NAME_TOO_LONG,
            NewStudyField.FOLDER,
        ),
        ({"lead_code": "a b"}, CODE_RULE, NewStudyField.CODE),
        ({"lead_code": ""}, OWN_CODE_NEEDED, NewStudyField.CODE),
        ({"passphrase": "x"}, PASSPHRASES_DIFFER, NewStudyField.PASSPHRASE),
        ({"taxonomy": Path()}, TAXONOMY_NEEDED, NewStudyField.TAXONOMY),
        (
            {"taxonomy": tmp_path / "none.json"},
            no_such_file_text(tmp_path / "none.json"),
            NewStudyField.TAXONOMY,
        ),
        ({"names": (tmp_path / "file", tmp_path / "none.tab")}, "none.tab", NewStudyField.NAMES),
    ):
        lack = new_study_problem(NewStudyForm(**{**sound, **changes}), passphrase_again="")  # type: ignore[arg-type]
        assert lack is not None
        assert result in lack.sentence
        assert lack.about is part


def test_an_error_points_to_the_field_at_fault(tmp_path: Path) -> None:
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
