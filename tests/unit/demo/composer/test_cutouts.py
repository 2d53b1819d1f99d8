"""The catalogue of cut-outs is read whole, and a mistake in it is named with its place."""

import shutil
from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.demo.composer.cutouts import load_cutouts
from labeler.demo.composer.sprites import cutout_mask, cutout_pixels
from labeler.locations import RESOURCES

DEMO = RESOURCES / "demo"
HEN = "n01514859_hen.png"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a single cut-out and both lists."""
    shutil.copy(DEMO / HEN, tmp_path)
    write(tmp_path, f"{HEN},n01514859,hen,,animals/birds/hen.png")
    (tmp_path / "staging.csv").write_text(f"file,size_cm,scenes\n{HEN},45,meadow studio\n")
    return tmp_path


def write(folder: Path, *lines: str) -> None:
    header = "file,wnid,class_name,also_valid,tuxpaint_stamp"
    (folder / "cutouts.csv").write_text("\n".join((header, *lines)) + "\n")


def stage(folder: Path, line: str) -> None:
    (folder / "staging.csv").write_text(f"file,size_cm,scenes\n{line}\n")


def test_the_demo_has_111_cutouts_of_97_classes() -> None:
    cutouts = load_cutouts(DEMO)
    assert len(cutouts) == 111
    assert len({cutout.wnid for cutout in cutouts}) == 97


def test_the_licence_is_next_to_the_cutouts() -> None:
    assert "GNU GENERAL PUBLIC LICENSE" in (DEMO / "GPL-2.txt").read_text()
    assert "tuxpaint-stamps" in (DEMO / "COPYRIGHT").read_text()


def test_an_elephant_is_also_a_tusker() -> None:
    (elephant,) = (cutout for cutout in load_cutouts(DEMO) if cutout.wnid == "n02504458")
    assert elephant.labels == {"n02504458", "n01871265"}


def test_a_cutout_knows_its_own_size(folder: Path) -> None:
    (hen,) = load_cutouts(folder)
    assert (
        (hen.width, hen.height) == cutout_pixels(hen.path).size == cutout_mask(hen.path).shape[::-1]
    )


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        (f"{HEN},hen,hen,,animals", "wnid", "“hen” isn't a wnid"),
        (f"{HEN},n01514859,hen,n12,animals", "also_valid", "“n12” isn't a wnid"),
        ("n00000000_ghost.png,n01514859,hen,,animals", "file", "no line in staging.csv"),
        (f"{HEN},n01514859", "class_name", "The line ends before this column"),
    ],
)
def test_a_bad_line_is_named_with_line_and_column(
    folder: Path, line: str, column: str, words: str
) -> None:
    write(folder, line)
    with pytest.raises(InputError, match=words) as caught:
        load_cutouts(folder)
    assert (caught.value.line, caught.value.column) == (2, column)


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        (f"{HEN},huge,meadow", "size_cm", "“huge” isn't a size"),
        (f"{HEN},-3,meadow", "size_cm", "“-3” isn't a size"),
        (f"{HEN},45,moon", "scenes", "“moon” isn't a scene"),
        (f"{HEN},45,", "scenes", "No scene is named"),
    ],
)
def test_a_bad_staging_is_named_with_line_and_column(
    folder: Path, line: str, column: str, words: str
) -> None:
    stage(folder, line)
    with pytest.raises(InputError, match=words) as caught:
        load_cutouts(folder)
    assert (caught.value.line, caught.value.column) == (2, column)


def test_a_cutout_listed_twice_is_refused(folder: Path) -> None:
    write(folder, *[f"{HEN},n01514859,hen,,animals"] * 2)
    with pytest.raises(InputError, match="listed twice") as caught:
        load_cutouts(folder)
    assert caught.value.line == 3


def test_a_missing_column_is_named(folder: Path) -> None:
    (folder / "cutouts.csv").write_text(f"file,class_name\n{HEN},hen\n")
    with pytest.raises(InputError, match="The column is missing") as caught:
        load_cutouts(folder)
    assert (caught.value.line, caught.value.column) == (1, "wnid")


def test_a_missing_picture_is_reported_in_a_sentence(folder: Path) -> None:
    (folder / HEN).unlink()
    with pytest.raises(InputError, match=r"isn't in the folder; put it there"):
        load_cutouts(folder)


def test_a_file_that_is_no_picture_is_reported_in_a_sentence(folder: Path) -> None:
    (folder / HEN).write_bytes(b"not a PNG")
    with pytest.raises(InputError, match="can't be read as a picture"):
        load_cutouts(folder)


def test_a_picture_that_vanishes_later_is_reported_in_a_sentence(folder: Path) -> None:
    (hen,) = load_cutouts(folder)
    hen.path.unlink()
    with pytest.raises(EnvironmentFault, match="install the program's demo files again"):
        cutout_pixels(hen.path)


def test_a_folder_without_a_catalogue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="is missing; a folder of cut-outs needs this list"):
        load_cutouts(tmp_path)


def test_a_catalogue_that_is_not_text_is_refused(folder: Path) -> None:
    (folder / "cutouts.csv").write_bytes(b"\xff\xfe\x00file")
    with pytest.raises(InputError, match="isn't UTF-8"):
        load_cutouts(folder)
