"""The words of all searchable texts, and which of them a typed word can mean."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from labeler.core.classes.search.text_folding import stem

# How a typed word fits a word of the vocabulary; less is better. Each typo costs TYPO; a match of a
# prefix with typos costs one more.
SAME: Final = 0
PLURAL: Final = 1
PREFIX: Final = 2
INSIDE: Final = 3
TYPO: Final = 10

_GAP = "\n"
_SHORTEST_INSIDE = 4
_SHORTEST_MISTYPED_BEGINNING = 5
BEYOND_ANY_LETTER = chr(0x10FFFF)

Fits = Mapping[int, int]
"""The vocabulary words, by number, that a typed word fits, with the kind of fit."""

Lookup = Callable[[str], Fits]


def typos_allowed(length: int) -> int:
    """Return how many typos a word of this length may have."""
    if length < 4:
        return 0
    if length < 6:
        return 1
    return 2 if length < 9 else 3


def is_mistyped_beginning(fit: int) -> bool:
    """Return whether the typed word fits only the beginning of a word, with typos."""
    return fit > TYPO and fit % TYPO == 1


class Vocabulary:
    """The numbered words of all texts; numbers follow alphabetical order."""

    def __init__(self, *, name_words: Iterable[str], other_words: Iterable[str]) -> None:
        in_names = set(name_words)
        self.words = sorted(in_names.union(other_words))
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self._in_names = {self.numbers[word]: word for word in sorted(in_names)}
        # Searching one string is ten times faster than searching the words one by one.
        self._run_of_names = _GAP + _GAP.join([*self._in_names.values(), ""])
        self._by_stem: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self.words):
            self._by_stem[stem(word)].append(number)
        self._beginnings: dict[tuple[str, int], dict[int, str]] = {}
        self.fits = lru_cache(maxsize=512)(self._fits)
        self.near = lru_cache(maxsize=512)(self._near)

    def _fits(self, typed: str) -> Fits:
        """Return the words that a typed word equals, is a plural or prefix of, or is inside of."""
        fits: dict[int, int] = {}
        if len(typed) >= _SHORTEST_INSIDE:
            fits = dict.fromkeys(self._containing(typed), INSIDE)
        fits.update(dict.fromkeys(self._beginning_with(typed), PREFIX))
        fits.update(dict.fromkeys(self._by_stem.get(stem(typed), ()), PLURAL))
        if typed in self.numbers:
            fits[self.numbers[typed]] = SAME
        return MappingProxyType(fits)

    def _near(self, typed: str) -> Fits:
        """Return what the typed word fits, plus words and prefixes a few typos away."""
        allowed = typos_allowed(len(typed))
        if not allowed:
            return self.fits(typed)
        near: dict[int, int] = {}
        for length in _lengths_around(len(typed)):
            beginnings = self._beginnings_of_length(typed[0], length)
            _take_nearest(near, typed, beginnings, allowed=allowed, extra=1)
        same_letter = self._beginnings_of_length(typed[0], 0)
        _take_nearest(near, typed, same_letter, allowed=allowed, extra=0)
        _take_nearest(near, typed, self._in_names, allowed=allowed, extra=0)
        near.update(self.fits(typed))
        return MappingProxyType(near)

    def _containing(self, typed: str) -> Iterator[int]:
        """Yield the words of names that contain the typed word."""
        found = self._run_of_names.find(typed)
        while found >= 0:
            end = self._run_of_names.index(_GAP, found)
            start = self._run_of_names.rindex(_GAP, 0, found) + 1
            yield self.numbers[self._run_of_names[start:end]]
            found = self._run_of_names.find(typed, end)

    def _beginning_with(self, typed: str) -> range:
        first = bisect_left(self.words, typed)
        return range(first, bisect_left(self.words, typed + BEYOND_ANY_LETTER, lo=first))

    def _beginnings_of_length(self, letter: str, length: int) -> Mapping[int, str]:
        """Return the words with this first letter, cut to a length; uncut for length 0."""
        known = self._beginnings.get((letter, length))
        if known is None:
            numbers = self._beginning_with(letter)
            if length:
                known = {n: self.words[n][:length] for n in numbers if len(self.words[n]) > length}
            else:
                known = {n: self.words[n] for n in numbers}
            self._beginnings[letter, length] = known
        return known


def _lengths_around(length: int) -> range:
    return range(length - 1, length + 2) if length >= _SHORTEST_MISTYPED_BEGINNING else range(0)


def _take_nearest(
    near: dict[int, int], typed: str, choices: Mapping[int, str], *, allowed: int, extra: int
) -> None:
    found = process.extract(
        typed, choices, scorer=OSA.distance, score_cutoff=allowed, limit=None, processor=None
    )
    for _, distance, number in found:
        fit = TYPO * int(distance) + extra
        near[number] = min(fit, near.get(number, fit))
