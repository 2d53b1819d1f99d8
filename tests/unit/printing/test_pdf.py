"""A PDF is made from a template and data, and neither escapes nor reaches beyond them."""

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from labeler.core.errors import EnvironmentFault
from labeler.locations import PRINT_TEMPLATES
from labeler.printing import pdf as printing
from labeler.printing.pdf import render_pdf

MADE_AT = datetime(2026, 1, 31, 12, 0, 1, 125, tzinfo=UTC)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for templates of the test's own, with the shared one next to them."""
    folder = tmp_path / "printing"
    folder.mkdir()
    (folder / "house.typ").write_bytes((PRINT_TEMPLATES / "house.typ").read_bytes())
    monkeypatch.setattr(printing, "PRINT_TEMPLATES", folder)
    return folder


def text_of(document: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(document)).pages)


def test_data_is_in_the_document_as_it_is(templates: Path) -> None:
    (templates / "letter.typ").write_text('#json("data.json").words')
    words = "#strong[no] *no* $no$ \\no <no> – ä 100 %"
    assert words in text_of(render_pdf("letter", {"words": words}, made_at=MADE_AT))


def test_the_same_input_gives_the_same_bytes(templates: Path) -> None:
    (templates / "letter.typ").write_text('#json("data.json").words')
    data = {"words": "twice"}
    assert render_pdf("letter", data, made_at=MADE_AT) == render_pdf(
        "letter", data, made_at=MADE_AT
    )


def test_a_drawing_stays_a_drawing(templates: Path) -> None:
    (templates / "letter.typ").write_text('#image("assets/figure.svg")')
    document = render_pdf("letter", {}, {"figure.svg": SVG}, made_at=MADE_AT)
    assert list(PdfReader(io.BytesIO(document)).pages[0].images) == []


def test_half_a_character_is_no_reason_to_fail(templates: Path) -> None:
    (templates / "letter.typ").write_text('#json("data.json").words')
    assert "a?b" in text_of(render_pdf("letter", {"words": "a\ud800b"}, made_at=MADE_AT))


def test_every_font_is_embedded(templates: Path) -> None:
    (templates / "letter.typ").write_text('#import "house.typ": *\n#show: house\nwords `code`')
    page = PdfReader(io.BytesIO(render_pdf("letter", {}, made_at=MADE_AT))).pages[0]
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
    inside = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts]
    assert all({"/FontFile2", "/FontFile3"} & set(font.get_object()) for font in inside)
    assert len(inside) == 2


def test_nothing_outside_the_templates_is_read(templates: Path) -> None:
    (templates.parent / "secret.txt").write_text("secret")
    (templates / "letter.typ").write_text('#read(json("data.json").file)')
    for file in ("../secret.txt", str(templates.parent / "secret.txt"), "/etc/passwd"):
        with pytest.raises(RuntimeError):
            render_pdf("letter", {"file": file}, made_at=MADE_AT)


def test_a_missing_compiler_is_reported_with_a_remedy(
    templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (templates / "letter.typ").write_text("words")
    (templates / "typst.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(templates))
    with pytest.raises(EnvironmentFault, match="pip install typst"):
        render_pdf("letter", {}, made_at=MADE_AT)


def test_printing_that_the_system_ends_is_reported_with_a_remedy(
    templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (templates / "letter.typ").write_text("words")
    (templates / "typst.py").write_text("import os; os.kill(os.getpid(), 9)")
    monkeypatch.setenv("PYTHONPATH", str(templates))
    with pytest.raises(EnvironmentFault, match="choose another format"):
        render_pdf("letter", {}, made_at=MADE_AT)


def test_the_compiler_is_not_loaded_into_the_program(templates: Path) -> None:
    (templates / "letter.typ").write_text("words")
    render_pdf("letter", {}, made_at=MADE_AT)
    assert "typst" not in sys.modules
