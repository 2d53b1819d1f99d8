"""The typo filter finds exactly the words that a measurement of every word would find."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from labeler.core.classes.search.typo_filter import TypoFilter

WORD = st.text(alphabet="abcdeñ€", min_size=1, max_size=9)
WORDS = st.lists(WORD, min_size=1, max_size=30, unique=True).map(sorted)


@given(words=WORDS, typed=WORD, allowed=st.integers(0, 3))
def test_every_word_within_the_typos_is_found(words: list[str], typed: str, allowed: int) -> None:
    distances = {number: OSA.distance(typed, word) for number, word in enumerate(words)}
    wanted = {number: typos for number, typos in distances.items() if typos <= allowed}
    assert dict(TypoFilter(words).near(typed, allowed=allowed)) == wanted


@given(words=WORDS, typed=WORD, allowed=st.integers(0, 3), cut=st.integers(1, 9), data=st.data())
def test_beginnings_of_a_part_of_the_words_are_found(
    words: list[str], typed: str, allowed: int, cut: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(words)))
    among = range(first, data.draw(st.integers(first, len(words))))
    longer = {number: words[number][:cut] for number in among if len(words[number]) > cut}
    distances = {number: OSA.distance(typed, start) for number, start in longer.items()}
    wanted = {number: typos for number, typos in distances.items() if typos <= allowed}
    found = TypoFilter(words).near(typed, allowed=allowed, among=among, cut=cut)
    assert dict(found) == wanted
