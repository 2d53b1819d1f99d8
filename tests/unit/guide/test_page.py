"""A page is read into its parts, and a broken one is refused at the line that breaks it."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.errors import InputError
from labeler.guide.pages import Distinction, GuidePage, PageSource, PageStatus, parse_page

RULE = "|---|---|---|"
FIRST_ROW = "| [marmot](class:n02361337) | [beaver](class:n02363005) | Bushy tail or flat tail. |"


def parse(text: str) -> GuidePage:
    return parse_page(text, slug="rodents", file="rodents.md")


def test_a_page_gives_its_front_matter_and_body(page: str) -> None:
    parsed = parse(page)
    assert (parsed.slug, parsed.title, parsed.version) == ("rodents", "Marmot and beaver", 2)
    assert parsed.wnids == ("n02361337", "n02363005")
    assert parsed.status is PageStatus.VERIFIED
    assert parsed.sources == (
        PageSource("WordNet 3.0"),
        PageSource("Rodents", "https://example.org/rodents", date(2026, 1, 31)),
    )
    assert parsed.body.startswith("# Marmot and beaver\n")
    assert parsed.body.endswith("Only the head shows.\n")


def test_the_table_gives_a_distinction_per_row(page: str) -> None:
    assert parse(page).distinctions == (
        Distinction("n02361337", "n02363005", "Bushy tail or flat tail."),
        Distinction("n02363005", "n02444819", "Paddle | taper."),
    )


def test_a_pair_is_sorted_whichever_class_the_row_names_first() -> None:
    assert Distinction("n2", "n1", "trait").pair == Distinction("n1", "n2", "trait").pair


def with_sources(page: str, value: str) -> str:
    before, rest = page.split("sources = [", 1)
    return f"{before}sources = {value}\n+++{rest.split('+++', 1)[1]}"


def test_an_unverified_page_may_have_no_source(page: str) -> None:
    unverified = page.replace('"verified"', '"unverified"')
    assert parse(with_sources(unverified, "[]")).sources == ()


@pytest.mark.parametrize(("value", "words"), [("[]", "must name a source"), ("1", "a list")])
def test_a_verified_page_names_its_sources_in_a_list(page: str, value: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refusal:
        parse(with_sources(page, value))
    assert refusal.value.line == 9


BROKEN = {
    "no front matter": ("+++\ntitle", "title", 1, "must start with a line"),
    "front matter not closed": ("]\n+++\n", "]\n", 37, "no closing line"),
    "bad TOML": ("version = 2", "version = = 2", 7, "not valid TOML"),
    "a number too long to read": ("version = 2", f"version = {'9' * 5000}", 12, "not valid TOML"),
    "unknown key": ("version = 2", "version = 2\nauthor = 'me'", 8, "“author” is unknown"),
    "unknown table": ("]\n+++", "]\n[extra]\n+++", 13, "“extra” is unknown"),
    "missing key": ("version = 2\n", "", 1, "key “version” is missing"),
    "not a wnid": ('"n02363005",\n]', '"n0236300",\n]', 5, "is not a wnid"),
    "wnid that is a number": ('"n02361337"', "2361337", 3, "is not a wnid"),
    "foreign digits": ('"n02361337"', '"n٠٢٣٦١٣٣٧"', 4, "is not a wnid"),
    "no wnids": ('[\n  "n02361337",\n  "n02363005",\n]', "[]", 3, "at least one class"),
    "wnid twice": ('"n02363005",\n]', '"n02361337",\n]', 4, "listed twice"),
    "empty title": ('"Marmot and beaver"\nw', '" "\nw', 2, "“title”"),
    "version zero": ("version = 2", "version = 0", 7, "“version”"),
    "version true": ("version = 2", "version = true", 7, "“version”"),
    "unknown status": ('"verified"', '"sure"', 8, "“verified” or “unverified”"),
    "source without title": ('title = "Rodents", ', "", 9, "A source must be"),
    "source with an odd address": ("https://", "file://", 9, "A source must be"),
    "source with an unknown key": ("read =", "seen =", 9, "A source must be"),
    "missing section": ("## Typical scenes", "", 38, "“Typical scenes” is missing"),
    "unknown section": ("## Typical scenes", "## Scenes", 28, "“Scenes” is unknown"),
    "section twice": ("Only the head", "## What it is\nOnly the head", 38, "second time"),
    "section empty": ("Two rodents.", "", 17, "“What it is” is empty"),
    "no table head": ("| Class |", "| Animal |", 23, "with the header"),
    "no rule": (RULE + "\n", "", 23, "line of dashes"),
    "a cell too few": (" | Bushy tail or flat tail.", "", 25, "2 cells"),
    "an open bar": ("Paddle \\|", "Paddle |", 26, "4 cells"),
    "first cell no link": ("[marmot](class:n02361337) |", "marmot |", 25, "not a link"),
    "second cell bad wnid": ("[otter](class:n02444819)", "[otter](class:n1)", 26, "not a link"),
    "no trait": ("Bushy tail or flat tail.", "", 25, "trait is missing"),
    "class against itself": ("[otter](class:n02444819)", "[b](class:n02363005)", 26, "itself"),
    "pair twice": ("[otter](class:n02444819)", "[m](class:n02361337)", 26, "row above"),
}


@pytest.mark.parametrize(("old", "new", "line", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_page_is_refused_at_its_line(
    page: str, old: str, new: str, line: int, words: str
) -> None:
    assert page.count(old) == 1
    with pytest.raises(InputError) as refusal:
        parse(page.replace(old, new))
    assert refusal.value.line == line
    assert refusal.value.file == "rodents.md"
    assert words in str(refusal.value)


def test_a_row_about_a_class_of_another_page_is_refused(page: str) -> None:
    turned = page.replace(
        "| [beaver](class:n02363005) | [otter](class:n02444819) |",
        "| [otter](class:n02444819) | [beaver](class:n02363005) |",
    )
    with pytest.raises(InputError, match=r"n02444819 .* is not among") as refusal:
        parse(turned)
    assert refusal.value.line == 26


def test_sections_out_of_order_are_refused(page: str) -> None:
    turned = page.replace("## Typical scenes", "## X").replace("## Also-valid labels", "## Y")
    turned = turned.replace("## X", "## Also-valid labels").replace("## Y", "## Typical scenes")
    with pytest.raises(InputError, match="must come before “Also-valid labels”") as refusal:
        parse(turned)
    assert refusal.value.line == 32


def test_the_table_may_come_before_the_definitions(page: str) -> None:
    start, end = page.index("## What it is"), page.index("## How to tell it from")
    after = page.index("## Typical scenes")
    turned = page[:start] + page[end:after] + page[start:end] + page[after:]
    assert parse(turned).distinctions == parse(page).distinctions


def test_deep_nesting_is_refused_in_a_sentence(page: str) -> None:
    with pytest.raises(InputError, match="front matter"):
        parse(page.replace("version = 2", "version = " + "[" * 100_000))


def test_windows_line_ends_change_nothing(page: str) -> None:
    assert parse(page.replace("\n", "\r\n")) == parse(page)


def test_a_page_without_any_section_is_refused(page: str) -> None:
    start = page.index("## What it is")
    with pytest.raises(InputError, match="“How to tell it from” is missing"):
        parse(page[:start] + "\nOnly words.\n")


def refusal_of(text: str) -> InputError | None:
    try:
        parse(text)
    except InputError as refusal:
        return refusal
    return None


def read_or_refused_at_a_line(text: str) -> bool:
    refusal = refusal_of(text)
    lines = text.count("\n") + text.count("\r") + 1
    return refusal is None or (refusal.line is not None and 1 <= refusal.line <= lines)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    assert read_or_refused_at_a_line(text)


@given(front=st.text(), body=st.text())
def test_any_text_around_the_fences_is_read_or_refused(front: str, body: str) -> None:
    assert read_or_refused_at_a_line(f"+++\n{front}\n+++\n{body}")


@given(data=st.data())
def test_a_page_with_any_part_replaced_is_read_or_refused(data: st.DataObject, page: str) -> None:
    start = data.draw(st.integers(0, len(page)))
    end = data.draw(st.integers(start, len(page)))
    patch = data.draw(st.text(alphabet='\n\r|[]()#+=":n0123456789classé ', max_size=30))
    assert read_or_refused_at_a_line(page[:start] + patch + page[end:])
