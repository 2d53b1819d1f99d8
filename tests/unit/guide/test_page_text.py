"""What the program changes in a page's text, and nothing else of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.guide.page import parse_page
from labeler.guide.page_text import (
    NamedClass,
    equal_except_version,
    find_distinction,
    with_distinction,
    with_version,
)

MARMOT, BEAVER = NamedClass("n02361337", "marmot"), NamedClass("n02363005", "beaver")
OTTER, TENCH = NamedClass("n02444819", "otter"), NamedClass("n01440764", "tench")


def parsed(text: str):
    return parse_page(text, slug="rodents", file="rodents.md")


def test_only_the_version_changes(page: str) -> None:
    raised = with_version(page, 17)
    assert parsed(raised).version == 17
    assert raised.replace("version = 17", "version = 2") == page
    assert equal_except_version(raised, page)
    assert not equal_except_version(raised, page + "more")


def test_a_version_in_the_body_is_left_alone(page: str) -> None:
    text = page.replace("Two rodents.", "version = 3\n\nTwo rodents.")
    assert "\nversion = 3\n" in with_version(text, 17)


@given(st.text())
def test_any_text_can_be_given_a_version(text: str) -> None:
    once = with_version(text, 5)
    assert with_version(once, 5) == once


def test_a_row_is_found_whichever_class_is_first(page: str) -> None:
    here, there = (
        find_distinction(page, MARMOT.wnid, BEAVER.wnid),
        find_distinction(page, BEAVER.wnid, MARMOT.wnid),
    )
    assert here == there
    assert here is not None
    assert page.split("\n")[here.line - 1][here.column :].startswith("Bushy tail")
    assert find_distinction(page, MARMOT.wnid, OTTER.wnid) is None


def test_a_row_that_is_there_stays(page: str) -> None:
    text, spot = with_distinction(page, BEAVER, OTTER)
    assert text == page
    assert text.split("\n")[spot.line - 1][spot.column :].startswith("Paddle")


def test_a_new_row_is_below_the_last(page: str) -> None:
    text, spot = with_distinction(page, MARMOT, TENCH)
    lines = text.split("\n")
    assert lines[spot.line - 1] == "| [marmot](class:n02361337) | [tench](class:n01440764) |  |"
    assert "otter" in lines[spot.line - 2]
    filled = lines[spot.line - 1]
    lines[spot.line - 1] = filled[: spot.column] + "Fins." + filled[spot.column :]
    assert parsed("\n".join(lines)).distinctions[-1].trait == "Fins."


@pytest.mark.parametrize("cut", ["table", "section"])
def test_a_page_without_a_table_gets_one(page: str, cut: str) -> None:
    start = page.index("| Class") if cut == "table" else page.index("## How to tell")
    text, spot = with_distinction(page[:start] + page[page.index("## Typical") :], MARMOT, TENCH)
    row = text.split("\n")[spot.line - 1]
    assert row.startswith("| [marmot]")
    assert "| Class | Look-alike | The trait that decides |" in text
    if cut == "table":
        assert parsed(text.replace("|  |", "| Fins. |")).distinctions[0].other == TENCH.wnid
