"""The picture files of a study's guide: versioned, restored and frozen with the pages."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from labeler.app.guide.export import export_guide, guide_source
from labeler.app.guide.publish import PageChange, PageSaved
from labeler.app.guide.study_guide import StudyGuide, freeze_guide, import_guide_folder
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.phases import Phase
from labeler.guide.picture_files import (
    MAX_PICTURE_BYTES,
    NOT_A_PICTURE,
    named_pictures,
    picture_hash,
)
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.guide.conftest import PAGE, Writers

NAME = "tails.png"


def drawn(colour: str, kind: str = "PNG") -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(written, kind)
    return written.getvalue()


RED, BLUE = drawn("red"), drawn("blue")


@pytest.fixture
def folder(writers: Writers) -> Path:
    writers.guide.current()
    return writers.store.folder.guide


def show_tails(writers: Writers, *, base: int = 1) -> PageSaved:
    text = f"{writers.text()}\n![tails]({NAME})\n"
    saved = writers.writer().save(PageChange(slug=PAGE, text=text, base=base, comment=""))
    assert isinstance(saved, PageSaved)
    return saved


def shown_now(writers: Writers) -> bytes | None:
    """What a window that is opened now shows."""
    return StudyGuide(writers.store).picture(NAME)


def test_a_version_keeps_the_picture_that_it_shows(writers: Writers, folder: Path) -> None:
    (folder / NAME).write_bytes(RED)
    version = writers.guide.current().version
    saved = show_tails(writers)

    assert saved.version.pictures == {NAME: picture_hash(RED)}
    assert writers.guide.current().version != version
    (folder / NAME).unlink()
    assert shown_now(writers) == RED
    assert (folder / NAME).read_bytes() == RED  # which is back where it belongs


def test_a_picture_changed_by_hand_is_a_version_and_the_old_one_is_restored(
    writers: Writers, folder: Path
) -> None:
    (folder / NAME).write_bytes(RED)
    show_tails(writers)
    (folder / NAME).write_bytes(BLUE)
    import_guide_folder(writers.store)

    newest, before, _first = writers.writer().history(PAGE)
    assert (newest.number, newest.author) == (3, None)
    assert newest.pictures[NAME] == picture_hash(BLUE)
    assert shown_now(writers) == BLUE

    restored = writers.writer().restore(PAGE, before.number, seen=newest.number)
    assert restored.version.pictures == before.pictures
    assert (folder / NAME).read_bytes() == RED
    assert shown_now(writers) == RED
    assert len(writers.writer().history(PAGE)) == 4


def test_an_evaluation_is_answered_with_the_pictures_that_it_froze(
    writers: Writers, folder: Path
) -> None:
    (folder / NAME).write_bytes(RED)
    show_tails(writers)
    version = writers.guide.current().version
    with writers.store.write() as study:
        freeze_guide(study)
        study.phases.open(Phase.EVALUATE)
    (folder / NAME).write_bytes(BLUE)

    assert shown_now(writers) == RED
    with writers.store.read() as study:
        assert study.guide.frozen().version == version
    assert StudyGuide(writers.store).current().version == version


def test_a_study_from_before_pictures_were_kept_keeps_them_without_a_new_version(
    writers: Writers, folder: Path
) -> None:
    with writers.store.write() as study:
        text = f"{writers.text()}\n![tails]({NAME})\n"
        study.guide.append(PAGE, number=2, text=text, author="A", origin="edit", base=1, comment="")
    import_guide_folder(writers.store)
    (folder / NAME).write_bytes(RED)
    import_guide_folder(writers.store)

    assert [version.number for version in writers.writer().history(PAGE)] == [2, 1]
    assert writers.writer().history(PAGE)[0].pictures == {NAME: picture_hash(RED)}


def test_the_exported_guide_shows_what_was_kept(writers: Writers, folder: Path) -> None:
    (folder / NAME).write_bytes(RED)
    show_tails(writers)
    (folder / NAME).unlink()
    out = folder.parent / "guide.html"
    place = writers.store.folder.path
    with guide_source(study=place, clock=AdjustableClock()) as source:
        exported = export_guide(source, out, now=datetime(2026, 1, 1, tzinfo=UTC))

    assert exported.missing_pictures == ()
    assert "data:image/jpeg;base64," in out.read_text(encoding="utf-8")


def test_a_picture_file_is_inserted_under_a_name_of_its_own(
    writers: Writers, folder: Path, tmp_path: Path
) -> None:
    one, other = tmp_path / "Tails (1).PNG", tmp_path / "tails-1.jpg"
    one.write_bytes(RED)
    other.write_bytes(BLUE)
    writer = writers.writer()

    assert writer.add_picture(one) == "tails-1.png"
    assert writer.add_picture(one) == "tails-1.png"
    assert writer.add_picture(other) == "tails-1-2.png"  # by what it is, not by its ending
    assert (folder / "tails-1-2.png").read_bytes() == BLUE
    assert named_pictures("![x](tails-1-2.png)") == ("tails-1-2.png",)


@pytest.mark.parametrize(
    "text",
    [
        "Words.\n\n![two\ntails](tails.png)\n\nMore.",
        "- A list.\n\n    ![tails](tails.png)",
        "| a | b |\n|---|---|\n| ![tails](tails.png) | x |",
        "![tails][two]\n\nWords.\n\n[two]: tails.png",
    ],
)
def test_a_picture_is_found_wherever_a_page_shows_it(text: str) -> None:
    assert named_pictures(text) == ("tails.png",)


def test_a_schematic_is_inserted_as_it_is_unless_it_acts(
    writers: Writers, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "Tails.svg"
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><path/></svg>')
    assert writers.writer().add_picture(file) == "tails.svg"
    assert (folder / "tails.svg").read_bytes() == file.read_bytes()
    file.write_text("<svg><script/></svg>")
    with pytest.raises(InputError, match=NOT_A_PICTURE):
        writers.writer().add_picture(file)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"GIF89a nothing", NOT_A_PICTURE),
        (drawn("red", "BMP"), NOT_A_PICTURE),
        (RED[: len(RED) // 2], NOT_A_PICTURE),
        (b"x" * (MAX_PICTURE_BYTES + 1), r"the limit is 4 MB"),
    ],
)
def test_what_is_no_picture_for_a_guide_is_refused_with_a_sentence(
    writers: Writers, folder: Path, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = tmp_path / "odd.png"
    file.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        writers.writer().add_picture(file)
    with pytest.raises(InputError, match="can't be read"):
        writers.writer().add_picture(tmp_path / "absent.png")
    assert not (folder / "odd.png").exists()


def test_nobody_inserts_a_picture_while_the_evaluation_is_open(
    writers: Writers, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / NAME).write_bytes(RED)
    with writers.store.write() as study:
        study.phases.open(Phase.EVALUATE)
    with pytest.raises(RefusedError, match="while the evaluation is open"):
        writers.writer().add_picture(tmp_path / NAME)
    assert not (folder / NAME).exists()
