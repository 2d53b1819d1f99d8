"""What holds for the search whatever is typed."""

from itertools import pairwise
from string import ascii_letters

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.search.hits import MatchKind, SearchHit, TextSpan
from labeler.core.classes.search.query import parse_query
from labeler.core.classes.search.text_folding import folded_words, stem
from labeler.core.classes.taxonomy import Taxonomy, load_default

TAXONOMY = load_default()
NAMES = [lemma for node in TAXONOMY.nodes.values() for lemma in node.lemmas]
GLOSSES = [TAXONOMY[wnid].gloss for wnid in TAXONOMY.class_wnids]
LOOSE = {MatchKind.TYPO, MatchKind.IDENTIFIER}


@st.composite
def typed_texts(draw: st.DrawFn) -> str:
    """Pieces of real names and descriptions, cut anywhere, in any order."""
    sources = st.sampled_from(NAMES) | st.sampled_from(GLOSSES)
    words = draw(st.lists(sources.flatmap(lambda text: st.sampled_from(text.split())), max_size=4))
    text = draw(st.sampled_from([" ", "-", ""])).join(words)
    return text[: draw(st.integers(1, 40))]


ANYTHING = st.text(max_size=40) | typed_texts()


@pytest.fixture(scope="module")
def search() -> ClassSearch:
    return ClassSearch(TAXONOMY)


def shown_texts(hit: SearchHit, taxonomy: Taxonomy) -> list[tuple[str, tuple[TextSpan, ...]]]:
    return [(hit.text, hit.spans), (taxonomy.display_names[hit.wnid], hit.name_spans)]


def tier(hit: SearchHit, typed: str) -> MatchKind:
    """Of more than a letter, words anywhere in a name are as good as at its beginning.

    Letters within a word of a name, as rain in a train, rank after what people say about a class.
    """
    in_name = MatchKind.NAME_PREFIX <= hit.match <= MatchKind.WORDS_IN_NAME
    if not in_name or len(parse_query(typed).joined) == 1:
        return hit.match
    within = any(is_within_word(hit.text, span) for span in hit.spans)
    return MatchKind.IN_BRANCH if within else MatchKind.WORDS_IN_NAME


def is_within_word(text: str, span: TextSpan) -> bool:
    """Whether the letters neither begin a word nor are its last part, as in a strawberry."""
    first_part = len(text[: span.start]) - len(text[: span.start].rstrip(ascii_letters))
    is_last = not text[span.end : span.end + 1].isalpha()
    return first_part > 0 and not (first_part >= 3 and is_last)


@given(typed=ANYTHING, limit=st.integers(0, 60))
@example(typed="unti", limit=2)
def test_hits_are_unique_limited_ordered_and_the_same_each_time(
    search: ClassSearch, typed: str, limit: int
) -> None:
    hits = search.search(typed, limit=limit)
    assert len(hits) <= limit
    assert len({hit.wnid for hit in hits}) == len(hits)
    tiers = [tier(hit, typed) for hit in hits]
    assert tiers == sorted(tiers)
    assert hits == search.search(typed, limit=limit)


@given(typed=ANYTHING, limit=st.integers(1, 30))
def test_a_smaller_limit_only_shortens_the_list(
    search: ClassSearch, typed: str, limit: int
) -> None:
    wnids = [hit.wnid for hit in search.search(typed, limit=limit)]
    assert wnids == [hit.wnid for hit in search.search(typed, limit=30)][:limit]


@given(typed=ANYTHING)
@example(typed="egg sh")
@example(typed="car with folding top")
def test_spans_lie_in_their_text_in_order_and_apart(search: ClassSearch, typed: str) -> None:
    for hit in search.search(typed, limit=20):
        assert hit.spans or hit.match in (MatchKind.IN_BRANCH, MatchKind.IN_RELATED_BRANCH)
        for text, spans in shown_texts(hit, TAXONOMY):
            assert all(0 <= span.start < span.end <= len(text) for span in spans)
            assert all(one.end <= other.start for one, other in pairwise(spans))


@given(typed=typed_texts())
def test_what_is_highlighted_was_typed(search: ClassSearch, typed: str) -> None:
    words = folded_words(typed)
    stems = {stem(word) for word in words}
    for hit in search.search(typed, limit=20):
        if hit.match in LOOSE:
            continue
        for text, spans in shown_texts(hit, TAXONOMY):
            for span in spans:
                marked = "".join(folded_words(text[span.start : span.end]))
                assert marked in "".join(words) or stem(marked) in stems


@given(typed=typed_texts())
def test_case_and_hyphens_change_nothing(search: ClassSearch, typed: str) -> None:
    plain = [hit.wnid for hit in search.search(typed)]
    assert [hit.wnid for hit in search.search(typed.upper())] == plain
    assert [hit.wnid for hit in search.search(typed.replace(" ", "-"))] == plain


@given(typed=st.text(alphabet=" \t\n-'.,", max_size=10))
def test_nothing_typed_finds_nothing(search: ClassSearch, typed: str) -> None:
    assert search.search(typed) == ()
