"""What a new study needs before it can be made."""

from pathlib import Path

import pytest

from labeler.app.presenters.start import NewStudy, proposed_folder, why_not


def test_a_folder_is_proposed_from_the_name_and_never_one_that_exists(tmp_path: Path) -> None:
    assert proposed_folder(" Birds & Dogs, 2nd ", inside=tmp_path) == tmp_path / "birds-dogs-2nd"
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds-2").mkdir()
    assert proposed_folder("Birds", inside=tmp_path) == tmp_path / "birds-3"


@pytest.mark.parametrize("name", ["", "  ", "///", "..", "…"])
def test_a_name_that_makes_no_folder_gets_a_plain_one(tmp_path: Path, name: str) -> None:
    assert proposed_folder(name, inside=tmp_path) == tmp_path / "study"


def test_a_long_name_makes_a_folder_that_the_disk_takes(tmp_path: Path) -> None:
    proposed_folder("ä long name " * 30, inside=tmp_path).mkdir()


def test_a_folder_that_the_disk_refuses_is_told_while_it_is_typed(tmp_path: Path) -> None:
    wanted = NewStudy(name="Birds", folder=tmp_path / ("x" * 300), lead_code="L")
    assert "a name in it is too long" in (why_not(wanted, passphrase_again="") or "")


def test_a_sound_wish_has_nothing_against_it(tmp_path: Path) -> None:
    wanted = NewStudy(name="Birds", folder=tmp_path / "birds", lead_code="L", passphrase="x")
    assert why_not(wanted, passphrase_again="x") is None
    tmp_path.joinpath("birds").mkdir()
    assert why_not(wanted, passphrase_again="x") is None


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sound = {"name": "Birds", "folder": tmp_path / "birds", "lead_code": "L"}
    for changes, told in (
        ({"name": " "}, "Give the study a name."),
        ({"folder": tmp_path}, "isn't empty: choose a new folder."),
        ({"folder": tmp_path / "file"}, "isn't empty: choose a new folder."),
        ({"lead_code": "a b"}, "A code has up to 64 characters"),
        ({"lead_code": ""}, "A code has up to 64 characters"),
        ({"passphrase": "x"}, "The two passphrases differ."),
        ({"taxonomy": Path()}, "Choose the taxonomy's file"),
        ({"taxonomy": tmp_path / "none.json"}, "There is no file"),
        ({"names": (tmp_path / "file", tmp_path / "none.tab")}, "none.tab"),
    ):
        reason = why_not(NewStudy(**{**sound, **changes}), passphrase_again="")  # type: ignore[arg-type]
        assert reason is not None
        assert told in reason
