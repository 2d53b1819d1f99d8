"""The guide leaves as one file that holds all it shows and reaches nowhere."""

import base64
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from labeler.app.guide.export import GuideSource, export_guide, guide_in_folder
from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.distinctions import DISTINCTION_COLUMNS
from labeler.locations import GUIDE
from tests.guides import SHIPPED_GUIDE
from tests.long_tests import LONG

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
BEAVER = "n02363005"
HREF = re.compile(r'href="([^"]*)"')
SRC = re.compile(r'src="([^"]*)"')
ID = re.compile(r'id="([^"]*)"')

Export = Callable[[str], bytes]


def a_picture(_wnid: str, number: int) -> EncodedImage | None:
    """The first two reference images of every class."""
    if number > 2:
        return None
    written = io.BytesIO()
    Image.new("RGB", (40, 30), (number, 0, 0)).save(written, "PNG")
    return EncodedImage(written.getvalue(), apply_exif=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A guide of two pages of the shipped one, the first with pictures."""
    folder = tmp_path / "guide"
    folder.mkdir()
    for slug in ("foxes", "marmot-and-beaver"):
        text = (GUIDE / f"{slug}.md").read_text(encoding="utf-8")
        (folder / f"{slug}.md").write_text(text, encoding="utf-8")
    Image.new("RGB", (2000, 1000)).save(folder / "tails.png")
    with (folder / "foxes.md").open("a", encoding="utf-8") as page:
        page.write("\n![tails](tails.png) ![one](ref:n02363005/1) ![three](ref:n02363005/3)\n")
        page.write("\n[marmots](marmot-and-beaver.md) [x](nowhere.md) <script>alert(1)</script>\n")
    return folder


@pytest.fixture
def source(folder: Path) -> GuideSource:
    return replace(guide_in_folder(folder), study="Rodents & <co>", reference=a_picture)


@pytest.fixture
def export(source: GuideSource, tmp_path: Path) -> Export:
    def run(name: str) -> bytes:
        export_guide(source, tmp_path / name, now=NOW)
        return (tmp_path / name).read_bytes()

    return run


def test_every_link_in_the_html_leads_to_a_place_in_it(export: Export) -> None:
    html = export("guide.html").decode()
    places = {f"#{place}" for place in ID.findall(html)}
    links = HREF.findall(html)
    assert set(links) <= places
    assert "#page-marmot-and-beaver" in links
    assert f"#class-{BEAVER}" in links


def test_the_html_holds_its_pictures_and_loads_nothing(export: Export) -> None:
    html = export("guide.html").decode()
    pictures = SRC.findall(html)
    assert len(pictures) == 2
    assert all(picture.startswith("data:image/jpeg;base64,") for picture in pictures)
    assert "<script" not in html
    assert "@import" not in html
    assert "url(" not in html
    assert "[No picture: three]" in html


def test_a_schematic_stays_a_drawing(folder: Path, export: Export) -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60" width="90" height="60" '
        'color="#1d2129"><text x="9" y="30" fill="currentColor">paddle</text></svg>'
    )
    (folder / "tails.svg").write_text(drawing, encoding="utf-8")
    with (folder / "marmot-and-beaver.md").open("a", encoding="utf-8") as page:
        page.write("\n![drawn tails](tails.svg)\n")
    embedded = base64.b64encode(drawing.encode()).decode()
    assert f'src="data:image/svg+xml;base64,{embedded}"' in export("guide.html").decode()
    pages = PdfReader(io.BytesIO(export("guide.pdf"))).pages
    assert any("paddle" in page.extract_text() for page in pages)


def test_what_people_wrote_is_escaped(export: Export) -> None:
    html = export("guide.html").decode()
    assert "Rodents &amp; &lt;co&gt;" in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_picture_is_shrunk_and_tells_nothing_but_its_pixels(folder: Path, export: Export) -> None:
    image = Image.new("RGB", (2000, 1000))
    exif = image.getexif()
    exif[0x010E] = "secret words"
    image.save(folder / "tails.png", exif=exif)
    (page, *_) = PdfReader(io.BytesIO(export("guide.pdf"))).pages[2:]
    sizes = [picture.image.size for picture in page.images if picture.image]
    assert (1200, 600) in sizes
    assert b"secret words" not in export("guide.html")


def test_the_pdf_has_a_cover_contents_and_numbered_pages(export: Export) -> None:
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(export("guide.pdf"))).pages]
    assert "Labeling guide" in pages[0]
    assert "Rodents & <co>" in pages[0]
    assert "31 January 2026" in pages[0]
    assert "Contents" in pages[1]
    assert re.search(r"Marmot and beaver[ .]*\d", pages[1])
    assert DISTINCTION_COLUMNS[2] in pages[2]
    assert pages[2].rstrip().endswith("3")
    assert "Index of classes" in pages[-1]


def test_the_pdf_can_be_gone_through_by_its_links(export: Export) -> None:
    reader = PdfReader(io.BytesIO(export("guide.pdf")))
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert titles == ["Other mammals", "Index of classes"]
    assert all(page.get("/Annots") for page in (reader.pages[1], reader.pages[2]))
    assert reader.metadata.title == "Labeling guide"


def test_the_same_guide_gives_the_same_file(export: Export) -> None:
    assert export("one.pdf") == export("two.pdf")
    assert export("one.html") == export("two.html")


def test_pictures_that_are_not_there_are_reported(source: GuideSource, tmp_path: Path) -> None:
    exported = export_guide(source, tmp_path / "guide.html", now=NOW)
    assert (exported.pages, exported.missing_pictures) == (2, ("ref:n02363005/3",))


def test_a_guide_without_pages_is_a_document_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    source = guide_in_folder(tmp_path / "empty")
    for name in ("guide.pdf", "guide.html"):
        assert export_guide(source, tmp_path / name, now=NOW).pages == 0


@pytest.mark.parametrize(("name", "every"), [("guide.pdf", 1 if LONG else 10), ("guide.html", 1)])
def test_the_shipped_guide_can_be_exported(tmp_path: Path, name: str, every: int) -> None:
    folder = tmp_path / "guide"
    shutil.copytree(SHIPPED_GUIDE, folder)
    for page in set(folder.glob("*.md")) - set(sorted(folder.glob("*.md"))[::every]):
        page.unlink()
    # In a process of its own: typesetting hundreds of pages takes a gigabyte and keeps it.
    command = [
        sys.executable,
        "-m",
        "labeler",
        "guide",
        "export",
        "--folder",
        str(folder),
        name,
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / name).stat().st_size > 100_000


@pytest.mark.parametrize("name", ["guide.docx", "guide", "guide.md"])
def test_another_kind_of_file_is_refused(source: GuideSource, tmp_path: Path, name: str) -> None:
    with pytest.raises(RefusedError, match=r"must end in \.html or \.pdf"):
        export_guide(source, tmp_path / name, now=NOW)


def test_a_damaged_page_leaves_the_old_file(source: GuideSource, tmp_path: Path) -> None:
    out = tmp_path / "guide.html"
    out.write_text("old")
    (source.folder / "damaged.md").write_text("nothing")
    with pytest.raises(InputError, match=r"damaged\.md, line 1"):
        export_guide(source, out, now=NOW)
    assert out.read_text() == "old"


def test_a_place_that_can_t_be_written_is_reported(source: GuideSource, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match="can't be written"):
        export_guide(source, tmp_path / "file" / "guide.html", now=NOW)
