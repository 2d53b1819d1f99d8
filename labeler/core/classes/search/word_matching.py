"""Match typed words to the words of one text."""

from collections.abc import Sequence
from typing import NamedTuple

from labeler.core.classes.search.hits import MatchKind
from labeler.core.classes.search.vocabulary import INSIDE, PLURAL, TYPO, WITHIN, Fits


class WordMatch(NamedTuple):
    """A typed word, the position in the text of the word that it fits, and how it fits."""

    typed: int
    place: int
    fit: int

    @property
    def is_full_word(self) -> bool:
        """Return whether the whole word was typed, possibly with typos."""
        return self.fit % TYPO == 0 or self.fit == PLURAL


def longest_first(typed: Sequence[str]) -> list[int]:
    """Return the order in which to match typed words: short words fit more, so come last."""
    return sorted(range(len(typed)), key=lambda number: -len(typed[number]))


def match_words(order: Sequence[int], fits: Sequence[Fits], text: Sequence[int]) -> list[WordMatch]:
    """Match each typed word to a different word of the text: the best one left, if any."""
    if len(order) == 1:
        return _place_word(fits[0], text)
    placed: list[WordMatch] = []
    taken: set[int] = set()
    for typed in order:
        fitting = fits[typed]
        options = [
            (fitting[word], place)
            for place, word in enumerate(text)
            if word in fitting and place not in taken
        ]
        if options:
            fit, place = min(options)
            taken.add(place)
            placed.append(WordMatch(typed, place, fit))
    placed.sort()
    return placed


def _place_word(fitting: Fits, text: Sequence[int]) -> list[WordMatch]:
    """Match a single typed word, the most common case."""
    options = [(fitting[word], place) for place, word in enumerate(text) if word in fitting]
    if not options:
        return []
    fit, place = min(options)
    return [WordMatch(0, place, fit)]


def match_kind(placed: Sequence[WordMatch], own_words: int) -> MatchKind:
    """Return the kind of match when all words fit one name, ignoring typos."""
    in_order = all(word.place == number for number, word in enumerate(placed))
    if (
        in_order
        and all(word.is_full_word for word in placed[:-1])
        and placed[-1].fit not in (INSIDE, WITHIN)
    ):
        full_name = len(placed) == own_words and placed[-1].is_full_word
        return MatchKind.EXACT_NAME if full_name else MatchKind.NAME_PREFIX
    if len(placed) == 1 or any(word.fit in (INSIDE, WITHIN) for word in placed):
        return MatchKind.WORDS_IN_NAME
    return MatchKind.WORD_PREFIXES
