"""Templates, complaints and changes: what helps someone who writes a page."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import load_default
from labeler.guide.check import PageCheck
from labeler.guide.diff import LineChange, diff_lines
from labeler.guide.draft import DraftContext, find_problems, preview_draft
from labeler.guide.page import parse_page_leniently
from labeler.guide.page_text import new_page_text, page_slug, page_title

TENCH, GOLDFISH = "n01440764", "n01443537"
CONTEXT = DraftContext(
    check=PageCheck(
        folder=Path("/nowhere"),
        taxonomy=load_default(),
        references=None,
        slugs=frozenset({"rodents", "foxes"}),
    ),
    covered={GOLDFISH: "Fish of the pond"},
)


def said(text: str) -> list[tuple[int, str]]:
    return [(found.line, found.sentence) for found in find_problems(text, CONTEXT)]


def test_a_sound_page_is_not_complained_about(page: str) -> None:
    assert said(page) == []


def test_one_fault_doesnt_hide_the_next(page: str) -> None:
    faulty = page.replace("version = 2", "version = 0").replace("## Typical", "## Usual")
    first, second = said(faulty)
    assert "whole number" in first[1]
    assert "“Usual scenes” is unknown" in second[1]
    assert faulty.split("\n")[second[0] - 1] == "## Usual scenes"


@pytest.mark.parametrize(
    ("old", "new", "sentence", "forbids"),
    [
        ('"n02363005",', f'"n02363005", "{GOLDFISH}",', "covered by the page “Fish of", True),
        ('"n02363005",', '"n02363005", "n00000001",', "not a class of the taxonomy", True),
        ("Bushy tail or flat tail.", "", "trait is missing", True),
        ("Two rodents.", "Two [rodents](mice.md).", "there is no such page", False),
        ("Two rodents.", "Two ![rodents](x.gif).", "can't be shown", False),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(
    page: str, old: str, new: str, sentence: str, forbids: bool
) -> None:
    text = page.replace(old, new, 1)
    (found,) = (c for c in find_problems(text, CONTEXT) if sentence in c.sentence)
    assert found.blocks_publishing is forbids
    assert (new or "otherwise empty |  |")[:12] in text.split("\n")[found.line - 1] or not new


@given(st.text())
def test_any_text_is_complained_about_and_shown(text: str) -> None:
    found = preview_draft(text, slug="rodents", context=CONTEXT)
    lines = text.count("\n") + text.count("\r") + 1
    assert all(1 <= complaint.line <= lines for complaint in found.complaints)
    assert parse_page_leniently(text, slug="rodents").slug == "rodents"


def test_a_template_names_its_classes_and_waits_for_words() -> None:
    taxonomy = load_default()
    text = new_page_text([TENCH], title=page_title([TENCH], taxonomy), taxonomy=taxonomy)
    page = parse_page_leniently(text, slug="tench")
    assert (page.title, page.wnids) == ("Tench", (TENCH,))
    assert "freshwater" in page.body
    assert [sentence for _line, sentence in said(text)]


@given(st.text(max_size=80), st.sets(st.sampled_from(["page", "page-2", "tench"])))
def test_a_slug_is_new_and_a_file_name(title: str, taken: set[str]) -> None:
    slug = page_slug(title, taken=taken)
    assert slug not in taken
    assert slug == page_slug(slug, taken=())


@given(st.text(alphabet="ab\n", max_size=30), st.text(alphabet="ab\n", max_size=30))
def test_changes_tell_every_line_that_came_or_went(old: str, new: str) -> None:
    found = diff_lines(old, new)
    added = [line.text for line in found if line.line is LineChange.ADDED]
    removed = [line.text for line in found if line.line is LineChange.REMOVED]
    assert len(new.split("\n")) - len(old.split("\n")) == len(added) - len(removed)
    assert bool(found) == (old != new)
