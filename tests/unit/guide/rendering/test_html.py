"""Pages become HTML that tells and shows, but can't act, fetch or lead out."""

import re
from collections.abc import Callable

import pytest

from labeler.guide.front_matter import PageStatus
from labeler.guide.page import GuidePage, parse_page
from labeler.guide.pages import load_guide
from labeler.guide.rendering.html import RenderOptions, render_page, without_missing_pictures
from labeler.guide.rendering.html_style import PageStyle, page_style_sheet
from labeler.guide.rendering.html_tables import TableLayout
from tests.guides import SHIPPED_GUIDE

MARMOT, BEAVER, OTTER = "n02361337", "n02363005", "n02444819"
KNOWN_TAGS = {"p", "ul", "ol", "li", "strong", "em", "b", "a", "img", "br", "hr", "code", "pre"}
KNOWN_TAGS |= {"span", "div", "table", "tr", "th", "td", "blockquote"}
ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
TAG = re.compile(r"</?([a-zA-Z0-9]+)((?:\s[^<>]*)?)/?>")

Render = Callable[[str], str]


@pytest.fixture
def with_text(page: str) -> Callable[[str], GuidePage]:
    """Makes a page with some Markdown in it."""
    return lambda text: parse_page(
        page.replace("Rocks, ponds.", text), slug="rodents", file="rodents.md"
    )


@pytest.fixture
def rendered(with_text: Callable[[str], GuidePage]) -> Render:
    return lambda text: render_page(with_text(text))


def assert_harmless(html: str) -> None:
    """Only known tags, and only addresses of the guide's own schemes."""
    for tag, attributes in TAG.findall(html):
        assert tag in KNOWN_TAGS, html
        for name, value in ATTRIBUTE.findall(attributes):
            assert not name.startswith("on"), html
            if name == "href":
                assert re.match(r"(class:n\d{8}|page:[a-z0-9-]+)$", value), value
            if name == "src":
                assert re.match(r"(ref:n\d{8}/\d+|picture:[\w/-]+\.\w+)$", value), value


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<b onclick="steal()">bold</b>',
        '<img src="http://example.org/spy.png">',
        '<img src=x onerror="x()">',
        "[go](javascript:alert(1))",
        "[go](JAVASCRIPT:alert(1))",
        "[go](file:///etc/passwd)",
        "[go](../../etc/passwd)",
        '[go](class:n02361337"onclick="x)',
        '[go](class:n02361337 "x\\" onclick=\\"y")',
        "[go](&#106;avascript:alert(1))",
        "![look](http://example.org/spy.png)",
        "![look](file:///etc/passwd)",
        "![look](../../x.png)",
        "![look](data:image/png;base64,iVBORw0KGgo=)",
        '![a" onerror="x()](ref:n02361337/1)',
        "<https://example.org/a>",
        '<style>@import "http://example.org"</style>',
        '<link rel="stylesheet" href="http://example.org">',
        "`<script>`",
        "```\n<script>\n```",
        "[a]\n\n[a]: javascript:x",
        "<iframe src='x'></iframe>",
        "&lt;script&gt;",
        "{}{0}",
    ],
)
def test_nothing_hostile_comes_through(rendered: Render, hostile: str) -> None:
    assert_harmless(rendered(hostile))


def test_every_page_of_the_shipped_guide_is_harmless_and_whole() -> None:
    for page in load_guide(SHIPPED_GUIDE).pages:
        for tables in TableLayout:
            html = render_page(page, RenderOptions(page.wnids[0], {OTTER: "otters"}, tables))
            assert_harmless(html)
            for row in page.distinctions:
                assert f'href="class:{row.other}"' in html


def test_raw_html_is_shown_as_it_was_written(rendered: Render) -> None:
    assert "&lt;b&gt;bold&lt;/b&gt;" in rendered("<b>bold</b>")


def test_markdown_keeps_its_meaning(rendered: Render) -> None:
    html = rendered("**stout** and *short*\n\n- one\n- two\n\n1. first\n\n> told")
    for piece in ("<strong>stout</strong>", "<em>short</em>", "<ul><li>one</li>", "<ol><li>"):
        assert piece in html.replace("\n", "")
    assert "<blockquote>" in html


def test_links_lead_to_classes_and_pages(rendered: Render) -> None:
    html = rendered("[otter](class:n02444819), [foxes](foxes.md)")
    assert f'<a href="class:{OTTER}">otter</a>, <a href="page:foxes">foxes</a>' in html


def test_an_address_outside_is_reported_and_no_link(rendered: Render) -> None:
    html = rendered("[a study](https://example.org/a) and <https://example.org/b>")
    assert 'a study <span class="address">(https://example.org/a)</span>' in html
    assert html.count("https://example.org/b") == 1


def test_sources_are_reported_with_their_address_and_day(rendered: Render) -> None:
    html = rendered("Rocks.")
    assert "Rodents" in html
    assert "https://example.org/rodents" in html
    assert "read 2026-01-31" in html


def test_an_unverified_page_says_so(page: str) -> None:
    text = page.replace('"verified"', f'"{PageStatus.UNVERIFIED.value}"')
    assert "Unverified" in render_page(parse_page(text, slug="rodents", file="rodents.md"))
    assert "Unverified" not in render_page(parse_page(page, slug="rodents", file="rodents.md"))


def test_the_title_is_once(rendered: Render) -> None:
    assert rendered("Rocks.").count("Marmot and beaver") == 1


def test_rows_on_the_class_in_focus_come_first_and_are_brought_out(
    with_text: Callable[[str], GuidePage],
) -> None:
    page = with_text("Rocks.")
    html = render_page(page, RenderOptions(focus=OTTER))
    assert html.index("Paddle") < html.index("Bushy")
    assert html.count('<td class="focus">') == 3
    assert '<b><a href="class:n02444819">otter</a></b>' in html


def test_where_all_rows_are_on_the_class_none_is_brought_out(
    with_text: Callable[[str], GuidePage],
) -> None:
    assert "focus" not in render_page(with_text("Rocks."), RenderOptions(focus=BEAVER))


def test_a_narrow_room_stacks_the_traits(with_text: Callable[[str], GuidePage]) -> None:
    html = render_page(with_text("Rocks."), RenderOptions(tables=TableLayout.STACKED))
    assert "<th" not in html
    assert "marmot</a> <span" in html
    assert "<br />Bushy tail or flat tail." in html


def test_another_table_keeps_its_columns_in_a_narrow_room(
    with_text: Callable[[str], GuidePage],
) -> None:
    page = with_text("| a | b |\n|---|---|\n| 1 | 2 |")
    html = render_page(page, RenderOptions(tables=TableLayout.STACKED))
    assert "<th>a</th><th>b</th>" in html


def test_a_class_with_a_page_elsewhere_has_a_way_there_once(
    with_text: Callable[[str], GuidePage],
) -> None:
    page = with_text(f"[otter](class:{OTTER}) again")
    html = render_page(page, RenderOptions(elsewhere={OTTER: "otters", MARMOT: page.slug}))
    assert html.count('<a href="page:otters">its page</a>') == 1
    assert f"page:{page.slug}" not in html


def test_a_picture_that_is_not_there_becomes_words(rendered: Render) -> None:
    html = rendered(f'![two "flat" tails](ref:{BEAVER}/3) ![x](tails.png)')
    asked: list[str] = []

    def shows(address: str) -> bool:
        asked.append(address)
        return address == "picture:tails.png"

    shown = without_missing_pictures(html, shows=shows)
    assert asked == [f"ref:{BEAVER}/3", "picture:tails.png"]
    assert "[No picture: two &quot;flat&quot; tails]" in shown
    assert '<img src="picture:tails.png" alt="x" />' in shown
    assert "ref:" not in shown


def test_pictures_by_themselves_stand_two_next_to_each_other_with_their_words(
    with_text: Callable[[str], GuidePage],
) -> None:
    page = with_text(f"![one](ref:{BEAVER}/1) ![<two>](ref:{BEAVER}/2)\n![](ref:{BEAVER}/3)")
    wide = render_page(page)
    narrow = render_page(page, RenderOptions(tables=TableLayout.STACKED))
    assert_harmless(wide)
    assert '<p class="caption">&lt;two&gt;</p>' in wide
    assert wide.count('<td class="picture">') == narrow.count('<td class="picture">') == 3
    assert wide.count('<tr><td class="picture">') == 2
    assert narrow.count('<tr><td class="picture">') == 3


def test_a_page_takes_its_colours_from_outside() -> None:
    names = ("text", "muted", "link", "line", "head", "focus", "focus_line")
    colours = {name: f"#0000{number:02d}" for number, name in enumerate(names)}
    sheet = page_style_sheet(PageStyle(**colours, caption=9, body=10, heading=12, title=16))
    for value in (*colours.values(), "9.0pt", "10.0pt", "12.0pt", "16.0pt"):
        assert value in sheet
    assert set(re.findall("#[0-9a-f]{6}", sheet)) == set(colours.values())


def test_a_row_of_references_is_left_out_only_if_none_is_there(rendered: Render) -> None:
    html = rendered("![a](ref:n02363005/1) ![b](ref:n02363005/2)\n\nEnd.")
    assert "No picture" not in without_missing_pictures(html, shows=lambda _address: False)
    one = without_missing_pictures(html, shows=lambda address: address.endswith("/1"))
    assert "ref:n02363005/1" in one
    assert "[No picture: b]" in one
