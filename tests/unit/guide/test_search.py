"""Searching the guide: words and beginnings, titles before names before text, marked excerpts."""

import pytest

from labeler.core.classes.search.hits import TextSpan
from labeler.core.classes.taxonomy import load_default
from labeler.guide.markdown import plain_lines
from labeler.guide.pages import load_guide
from labeler.guide.reader import open_guide
from labeler.guide.search import EXCERPT_LENGTH, GuideSearch, SearchWords, cut_excerpt
from labeler.locations import GUIDE


@pytest.fixture(scope="module")
def index() -> GuideSearch:
    return open_guide(GUIDE, taxonomy=load_default()).search_index


def found(index: GuideSearch, typed: str) -> list[str]:
    return [hit.slug for hit in index.search(typed, limit=1000)]


def marked(text: str, spans: tuple[TextSpan, ...]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


def test_a_title_ranks_before_text(index: GuideSearch) -> None:
    slugs = found(index, "fox")
    assert slugs[0] == "foxes"
    assert "marmot-and-beaver" in slugs[1:]


def test_a_name_of_a_covered_class_ranks_before_text(index: GuideSearch) -> None:
    """“Bruin” is another name of the brown bear; “polar bear” is in text and in a name."""
    assert found(index, "bruin") == ["bears"]
    assert found(index, "polar bear")[0] == "bears"


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("BEAV", "marmot-and-beaver"),
        ("éléphant", "elephants-and-tusker"),
        ("foxes", "foxes"),
        ("geese", "ducks-and-geese"),
        ("Ursus arctos", "bears"),
        ("felled gnaw", "marmot-and-beaver"),
        ("guitar  ", "guitars"),
    ],
)
def test_case_accents_number_and_order_of_words_do_not_matter(
    index: GuideSearch, typed: str, best: str
) -> None:
    assert found(index, typed)[0] == best


def test_a_page_must_have_every_word(index: GuideSearch) -> None:
    both = set(found(index, "tail flat"))
    assert both
    assert both <= set(found(index, "tail")) & set(found(index, "flat"))
    assert found(index, "tail zzzz") == []


@pytest.mark.parametrize("typed", ["", "   ", "!?", "zzzz"])
def test_nothing_is_found_for_nothing(index: GuideSearch, typed: str) -> None:
    assert index.search(typed) == ()


def test_a_hit_marks_the_typed_letters_in_title_and_excerpt(index: GuideSearch) -> None:
    hit = index.search("beav")[0]
    assert marked(hit.title, hit.title_spans) == ["beav"]
    assert "beav" in marked(hit.excerpt.text, hit.excerpt.spans)


def test_the_excerpt_is_the_line_with_most_of_the_words(index: GuideSearch) -> None:
    hit = index.search("stripe nose badger")[0]
    assert {"stripe", "nose", "badger"} <= set(marked(hit.excerpt.text, hit.excerpt.spans))


def test_a_class_found_by_another_name_shows_that_name(index: GuideSearch) -> None:
    excerpt = index.search("bruin")[0].excerpt
    assert marked(excerpt.text, excerpt.spans) == ["bruin"]


def test_excerpts_show_no_markdown(index: GuideSearch) -> None:
    for typed in ("a", "the", "class", "tail"):
        for hit in index.search(typed):
            assert not set("*|[]`") & set(hit.excerpt.text), hit.excerpt.text


def test_a_long_line_is_cut_between_words_around_the_word() -> None:
    line = "word " * 60 + "needle " + "word " * 60
    excerpt = cut_excerpt(line, SearchWords.of("needle"))
    assert marked(excerpt.text, excerpt.spans) == ["needle"]
    assert len(excerpt.text) <= EXCERPT_LENGTH + 2
    assert set(excerpt.text.strip("…").split()) == {"word", "needle"}
    assert excerpt.text.startswith("…")
    assert excerpt.text.endswith("…")


def test_a_line_without_spaces_can_be_cut() -> None:
    excerpt = cut_excerpt("x" * 500, SearchWords.of("x"))
    assert 0 < len(excerpt.text) <= EXCERPT_LENGTH + 2


def test_marks_lie_on_whole_letters_with_their_accents() -> None:
    text = "Le ca\u0301niche est un cánido."
    assert marked(text, SearchWords.of("cani").spans(text)) == ["ca\u0301ni", "cáni"]


def test_lines_are_words_without_headings_and_markup() -> None:
    body = (
        "# Title\n\n## What it is\n\nA **bold** [word](class:n02361337).\n\n"
        "| Class | Look-alike | The trait that decides |\n|---|---|---|\n"
        "| [marmot](class:n02361337) | [otter](class:n02444819) | Paddle \\| taper. |\n\n"
        "- *One* thing\n1. another\n"
    )
    assert plain_lines(body) == (
        "A bold word.",
        "marmot, otter: Paddle | taper.",
        "One thing",
        "another",
    )


def test_every_page_is_found_by_its_title(index: GuideSearch) -> None:
    for page in load_guide(GUIDE).pages:
        assert found(index, page.title)[0] == page.slug


@pytest.mark.parametrize(
    ("typed", "best"),
    [
        ("mramot", "marmot-and-beaver"),
        ("elefant tuks", "elephants-and-tusker"),
        ("baever", "marmot-and-beaver"),
        ("nassoon", "bassoon-and-oboe"),
        ("porcupne snout", "echidna-and-porcupine"),
    ],
)
def test_typos_are_forgiven(index: GuideSearch, typed: str, best: str) -> None:
    assert found(index, typed)[0] == best


def test_a_word_that_the_guide_has_is_not_taken_for_a_typo(index: GuideSearch) -> None:
    assert index.parse("tusk bear").meant == frozenset()


def test_what_a_typo_meant_is_marked(index: GuideSearch) -> None:
    hit = index.search("mramot")[0]
    assert marked(hit.title, hit.title_spans) == ["Marmot"]


def test_a_short_word_and_nonsense_find_nothing(index: GuideSearch) -> None:
    assert index.search("qx") == ()
    assert index.search("zzzzzzzzzz") == ()
