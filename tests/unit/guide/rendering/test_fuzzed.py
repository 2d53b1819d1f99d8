"""Whatever a page holds, reading, checking, showing and exporting it neither fail nor reach out."""

import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.errors import InputError
from labeler.core.labeling.blind_types import EncodedImage
from labeler.guide.check import check_guide
from labeler.guide.page import GuidePage, parse_page
from labeler.guide.pages import Guide
from labeler.guide.picture_files import folder_picture_loader
from labeler.guide.reader import make_reader
from labeler.guide.rendering.document import CoverDetails, DocumentPictures, guide_document
from labeler.guide.rendering.document_tree import DocumentData
from labeler.guide.rendering.html import RenderOptions, picture_addresses, render_page
from labeler.guide.rendering.html_tables import TableLayout
from labeler.printing.html import render_html
from labeler.printing.pdf import render_pdf
from tests.unit.guide.conftest import PAGE
from tests.unit.guide.hostile_markdown import ADDRESSES, MARKDOWN, WORDS

NOW = datetime(2026, 1, 31, tzinfo=UTC)
SECRET = "secret"
HREF = re.compile(r'href="([^"]*)"')
KNOWN_TAGS = re.compile(
    r"</?(?:p|ul|ol|li|strong|em|b|a|img|br|hr|code|pre|span|div|table|tr|th|td|blockquote)\b"
)
ACTING_TAGS = {"script", "iframe", "object", "embed", "link", "form", "base", "svg", "math"}

# Python tells of every file that is opened; a hook can't be taken out again, only be left idle.
_opened: list[list[str]] = []


def _notice(event: str, arguments: tuple[object, ...]) -> None:
    if _opened and event == "open":
        _opened[-1].append(str(arguments[0]))
    if _opened and event.startswith("socket."):
        _opened[-1].append(f"{SECRET} {event}")


sys.addaudithook(_notice)


@contextmanager
def nothing_secret_is_opened() -> Iterator[None]:
    """Neither a file outside the guide's folder is opened nor the network asked for anything."""
    _opened.append([])
    try:
        yield
    finally:
        opened = _opened.pop()
    assert [path for path in opened if SECRET in path] == []


class Document(HTMLParser):
    """What a browser would find in a document: its tags, and all values of each attribute."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.values: defaultdict[str, set[str]] = defaultdict(set)
        self.feed(written)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.values[name].add(value or "")


class Shelf:
    """A guide's folder next to a secret that links and addresses try to lead to."""

    def __init__(self, folder: Path, taxonomy: Taxonomy) -> None:
        self.folder = folder
        self.taxonomy = taxonomy

    def __repr__(self) -> str:
        return "shelf"

    def page(self, text: str) -> GuidePage:
        return parse_page(self.filled(text), slug="rodents", file="rodents.md")

    def filled(self, text: str) -> str:
        outside = str(self.folder.parent)
        return PAGE.replace("Rocks, ponds.", f"x\n{text.replace('{outside}', outside)}")

    def printed(self, page: GuidePage) -> tuple[DocumentData, DocumentPictures]:
        pictures = DocumentPictures(folder_picture_loader(self.folder), reference=a_reference)
        imprint = CoverDetails(study=None, made_on=date(2026, 1, 31))
        guide = Guide((page,))
        return guide_document(
            guide, taxonomy=self.taxonomy, pictures=pictures, imprint=imprint
        ), pictures


def a_reference(_wnid: str, number: int) -> EncodedImage | None:
    return EncodedImage(_picture(), apply_exif=False) if number == 1 else None


def _picture() -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (4, 4)).save(written, "PNG")
    return written.getvalue()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    around = tmp_path_factory.mktemp("around")
    folder = around / "guide"
    (folder / "deep").mkdir(parents=True)
    for file in (around / "secret.png", folder / "own.png", folder / "deep" / "own.png"):
        file.write_bytes(_picture())
    (around / "secret.md").write_text(PAGE)
    (folder / "link.png").symlink_to(around / "secret.png")
    (folder / "folder-link").symlink_to(around)
    (folder / "loop").symlink_to(folder / "loop")
    return Shelf(folder, load_default())


quickly = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quickly
@given(
    text=st.text() | MARKDOWN | st.builds(PAGE.replace, st.sampled_from(PAGE.split("\n")), WORDS)
)
def test_any_text_is_a_page_or_refused_with_a_sentence(text: str) -> None:
    with suppress(InputError):
        assert parse_page(text, slug="rodents", file="rodents.md").slug == "rodents"


@quickly
@given(text=MARKDOWN)
def test_a_page_shows_nothing_that_acts_or_leads_out(shelf: Shelf, text: str) -> None:
    try:
        page = shelf.page(text)
    except InputError:
        return
    with nothing_secret_is_opened():
        for tables in TableLayout:
            shown = render_page(page, RenderOptions("n02361337", {"n02444819": "otters"}, tables))
            without = KNOWN_TAGS.sub("", shown)
            assert "<" not in without.replace("</p>", "")
            assert all(re.match(r"(class:n\d{8}|page:[a-z0-9-]+)$", a) for a in HREF.findall(shown))
            for address in picture_addresses(shown):
                assert re.match(r"(ref:n\d{8}/\d+|picture:[\w/-]+\.\w+)$", address)


@quickly
@given(text=MARKDOWN)
def test_a_page_can_be_checked_and_searched(shelf: Shelf, text: str) -> None:
    file = shelf.folder / "rodents.md"
    file.write_bytes(shelf.filled(text).encode("utf-8", "surrogatepass"))
    with nothing_secret_is_opened():
        checked = check_guide(shelf.folder, taxonomy=shelf.taxonomy, references=lambda _wnid: 3)
        reader = make_reader(checked.guide, taxonomy=shelf.taxonomy)
        reader.search(text)
    for finding in checked.findings:
        assert re.match(rf"{re.escape(str(file))}, line \d+(, column [\w -]+)?: ", finding.sentence)


@quickly
@given(text=MARKDOWN)
def test_an_exported_page_leads_and_loads_nowhere(shelf: Shelf, text: str) -> None:
    try:
        page = shelf.page(text)
    except InputError:
        return
    with nothing_secret_is_opened():
        data, pictures = shelf.printed(page)
    document = Document(render_html("guide", data, pictures.assets))
    assert document.tags.isdisjoint(ACTING_TAGS)
    assert not [name for name in document.values if name.startswith(("on", "style", "srcset"))]
    assert document.values["href"] <= {f"#{place}" for place in document.values["id"]}
    assert all(source.startswith("data:image/jpeg;base64,") for source in document.values["src"])


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_leads_out_of_the_guide(shelf: Shelf, address: str) -> None:
    text = f"![words]({address}) [words]({address}) ![words](<{address}>)"
    (shelf.folder / "rodents.md").write_text(shelf.filled(text), encoding="utf-8")
    with nothing_secret_is_opened():
        check_guide(shelf.folder, taxonomy=shelf.taxonomy)
        data, pictures = shelf.printed(shelf.page(text))
    assert render_html("guide", data, pictures.assets).count("<img") <= 2


@settings(quickly, max_examples=10)
@given(text=MARKDOWN)
def test_a_fuzzed_page_can_be_printed(shelf: Shelf, text: str) -> None:
    try:
        page = shelf.page(text)
    except InputError:
        return
    data, pictures = shelf.printed(page)
    with nothing_secret_is_opened():
        document = render_pdf("guide", data, pictures.assets, made_at=NOW)
    assert len(PdfReader(io.BytesIO(document)).pages) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "*a **b " * 1500 + "x** x*" * 1500,
        ">" * 5000 + " x",
        "- " * 3000 + "x",
        "[" * 3000 + "x" + "](class:n02361337)" * 3000,
        "![" * 2000 + "x" + "](own.png)" * 2000,
        "|" * 3000 + "\n" + "|-" * 3000 + "|\n" + "|a" * 3000,
        "`" * 9000,
        "*" * 9000 + "a" + "*" * 9000,
        "> " * 30 + "- " * 30 + "*a **b " * 30 + "x** x*" * 30,
    ],
    ids=["emphasis", "quotes", "lists", "links", "pictures", "table", "ticks", "stars", "all"],
)
def test_nesting_without_end_ends(shelf: Shelf, text: str) -> None:
    page = shelf.page(text)
    render_page(page)
    data, pictures = shelf.printed(page)
    assert render_html("guide", data, pictures.assets)
    assert render_pdf("guide", data, pictures.assets, made_at=NOW)
