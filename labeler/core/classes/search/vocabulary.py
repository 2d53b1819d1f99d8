"""The words of all searchable texts, and which of them a typed word can mean."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from labeler.core.classes.search.text_folding import root, stem

# How a typed word fits a word of the vocabulary; less is better. It is inside of a compound that
# ends in it, as in teapot, and within any other word, as rain is in train and strainer. Another
# form, as opener is of opens, only counts in descriptions. Each typo costs TYPO; a match of a
# prefix with typos costs one more.
SAME: Final = 0
PLURAL: Final = 1
PREFIX: Final = 2
INSIDE: Final = 3
WITHIN: Final = 4
FORM: Final = 5
TYPO: Final = 10

_GAP = "\n"
_SHORTEST_INSIDE = 4
_SHORTEST_FIRST_PART = 3
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
        names = sorted(in_names)
        self._in_names = [self.numbers[word] for word in names]
        # Searching one string is ten times faster than searching the words one by one.
        self._run_of_names = _GAP + _GAP.join([*names, ""])
        # It needs numpy, which the first image doesn't wait for.
        from labeler.core.classes.search.typo_filter import TypoFilter

        self._typos = TypoFilter(self.words)
        self._typos_in_names = TypoFilter(names)
        self._by_stem: defaultdict[str, list[int]] = defaultdict(list)
        self.stems = [stem(word) for word in self.words]
        for number, stemmed in enumerate(self.stems):
            self._by_stem[stemmed].append(number)
        self._by_root: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self.words):
            self._by_root[root(word)].append(number)
        self.forms = lru_cache(maxsize=512)(self._forms)
        self.fits = lru_cache(maxsize=512)(self._fits)
        self.near = lru_cache(maxsize=512)(self._near)

    def _fits(self, typed: str) -> Fits:
        """Return the words that a typed word equals, is a plural or prefix of, or is inside of."""
        fits: dict[int, int] = {}
        if len(typed) >= _SHORTEST_INSIDE:
            fits = {word: self._inside(typed, word) for word in self._containing(typed)}
        fits.update(dict.fromkeys(self._beginning_with(typed), PREFIX))
        fits.update(dict.fromkeys(self._by_stem.get(stem(typed), ()), PLURAL))
        if typed in self.numbers:
            fits[self.numbers[typed]] = SAME
        return MappingProxyType(fits)

    def _forms(self, typed: str) -> Fits:
        """Return what the typed word fits, and the other forms of the word."""
        others = self._by_root.get(root(typed), ())
        return MappingProxyType({**dict.fromkeys(others, FORM), **self.fits(typed)})

    def _near(self, typed: str) -> Fits:
        """Return what the typed word fits, plus words and prefixes a few typos away."""
        allowed = typos_allowed(len(typed))
        if not allowed:
            return self.fits(typed)
        near: dict[int, int] = {}
        same_letter = self._beginning_with(typed[0])
        for length in _lengths_around(len(typed)):
            cut = self._typos.near(typed, allowed=allowed, among=same_letter, cut=length)
            _take_nearest(near, cut, extra=1)
        whole = self._typos.near(typed, allowed=allowed, among=same_letter)
        _take_nearest(near, whole, extra=0)
        named = self._typos_in_names.near(typed, allowed=allowed)
        in_names = self._in_names
        _take_nearest(near, [(in_names[place], typos) for place, typos in named], extra=0)
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

    def _inside(self, typed: str, number: int) -> int:
        word = self.words[number]
        first_part = len(word) - len(typed)
        return INSIDE if first_part >= _SHORTEST_FIRST_PART and word.endswith(typed) else WITHIN

    def _beginning_with(self, typed: str) -> range:
        first = bisect_left(self.words, typed)
        return range(first, bisect_left(self.words, typed + BEYOND_ANY_LETTER, lo=first))


def _lengths_around(length: int) -> range:
    return range(length - 1, length + 2) if length >= _SHORTEST_MISTYPED_BEGINNING else range(0)


def _take_nearest(near: dict[int, int], found: Iterable[tuple[int, int]], *, extra: int) -> None:
    for number, typos in found:
        fit = TYPO * typos + extra
        near[number] = min(fit, near.get(number, fit))
