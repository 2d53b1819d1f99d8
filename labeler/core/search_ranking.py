"""Ranking the classes for what was typed, by rules that can be told to a person."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import Final, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from labeler.core.search_hits import Match
from labeler.core.search_index import IN_GLOSS, SearchIndex
from labeler.core.search_names import Name
from labeler.core.search_placing import kind_of, longest_first, place_words
from labeler.core.search_query import Query
from labeler.core.search_vocabulary import (
    INSIDE,
    PLURAL,
    PREFIX,
    SAME,
    TYPO,
    Fits,
    typos_allowed,
)

# What it adds to a word's distance from the class's name if only a part of it was typed.
_PARTLY: Final = {SAME: 0, PLURAL: 1, PREFIX: 10, INSIDE: 20}
_PER_TYPO: Final = 1_000_000
# Words that stand in several names, or not in names, are looser than any in one name.
_ALL_OVER: Final = 1000
# Shorter words begin too many words: in glosses and ancestors' names they must be whole.
_SHORTEST_BEGINNING: Final = 4
# The beginning of a word says nothing by itself if the word is said of more classes than this.
_MANY_CLASSES: Final = 100

Lookup = Callable[[str], Fits]


class Rank(NamedTuple):
    """What decides the order; compared from the top, less is better."""

    match: Match
    typos: float
    kind: Match
    looseness: float
    field: int
    uncovered: float
    length: int
    class_index: int


class Candidate(NamedTuple):
    """A class with its rank, and the name that matched unless the words were all over."""

    rank: Rank
    name: Name | None


class Ranking:
    """Finds and ranks classes, kind of match by kind of match, until there are enough."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._vocabulary = index.vocabulary

    def best(self, query: Query, limit: int) -> list[Candidate]:
        """The best classes for the query, best first."""
        found: dict[int, Candidate] = {}
        for candidates in self._kinds(query, found):
            for candidate in candidates:
                known = found.get(candidate.rank.class_index)
                if known is None or candidate.rank < known.rank:
                    found[candidate.rank.class_index] = candidate
            if len(found) >= limit:
                break
        return sorted(found.values(), key=lambda candidate: candidate.rank)[:limit]

    def _kinds(self, query: Query, found: dict[int, Candidate]) -> Iterator[Iterable[Candidate]]:
        """The candidates of each kind of match in turn; looser kinds only while they help."""
        yield self._exact(query)
        if len(query.joined) == 1:
            yield self._beginnings(query)
        fits = [self._vocabulary.fits(word) for word in query.words]
        yield chain(self._beginnings(query), self._in_one_name(query.words, fits))
        yield self._anywhere(query.telling, self._vocabulary.fits)
        if all(known.rank.match > Match.WORDS_IN_NAME for known in found.values()):
            near = [self._vocabulary.near(word) for word in query.words]
            yield chain(self._near_names(query), self._in_one_name(query.words, near))
        if not found:
            yield self._anywhere(query.telling, self._vocabulary.near)
        if not found:
            yield self._some_words(query)

    def _exact(self, query: Query) -> Iterator[Candidate]:
        names = self._index.joined_names
        for looseness, numbers in (
            (PLURAL, names.plural(query.words)),
            (SAME, names.same(query.joined)),
        ):
            for number in numbers:
                name = self._index.names[number]
                yield _named(name, Match.EXACT_NAME, looseness=looseness)

    def _beginnings(self, query: Query) -> Iterator[Candidate]:
        letters = len(query.joined)
        for number in self._index.joined_names.beginning(query.joined):
            name = self._index.names[number]
            looseness = SAME if letters in name.ends else PREFIX
            yield _named(name, Match.NAME_PREFIX, looseness=looseness, letters=letters)

    def _in_one_name(self, typed: Sequence[str], fits: Sequence[Fits]) -> Iterator[Candidate]:
        order = longest_first(typed)
        letters = sum(map(len, typed))
        for number in self._names_with_all(fits):
            name = self._index.names[number]
            placed = place_words(order, fits, name.words)
            if len(placed) < len(typed):
                continue
            typos = sum(word.fit // TYPO for word in placed)
            if typos > typos_allowed(letters):
                continue
            kind = kind_of(placed, name.own_words)
            looseness = sum(word.fit % TYPO for word in placed)
            yield _named(name, kind, typos=typos, looseness=looseness, letters=letters)

    def _names_with_all(self, fits: Sequence[Fits]) -> set[int]:
        """The names in which every typed word fits some word."""
        names_with = self._index.names_with
        common: set[int] | None = None
        for fitting in sorted(fits, key=len):
            names = {number for word in fitting for number in names_with.get(word, ())}
            common = names if common is None else common & names
            if not common:
                break
        return common or set()

    def _near_names(self, query: Query) -> Iterator[Candidate]:
        """Names that, run together, are a few typos away from all that was typed."""
        joined = query.joined
        near = process.extract(
            joined,
            self._index.joined_names.joined,
            scorer=OSA.distance,
            score_cutoff=typos_allowed(len(joined)),
            limit=None,
            processor=None,
        )
        for spelt, typos, _ in near:
            for number in self._index.joined_names.same(spelt):
                name = self._index.names[number]
                yield _named(name, Match.EXACT_NAME, typos=int(typos), looseness=SAME)

    def _anywhere(self, typed: Sequence[str], lookup: Lookup) -> Iterator[Candidate]:
        """Classes with every word in a name, the gloss or an ancestor's name."""
        weighed = [_weigh(lookup(word)) for word in typed]
        too_far = _PER_TYPO * (typos_allowed(sum(map(len, typed))) + 1)
        for class_index in self._classes_with_all(typed, lookup):
            distances = _distances(self._index.document(class_index), weighed)
            if len(distances) == len(weighed) and sum(distances) < too_far:
                yield self._described(class_index, distances)

    def _classes_with_all(self, typed: Sequence[str], lookup: Lookup) -> set[int]:
        """The classes worth a closer look: those that all but the shortest words point to."""
        if len(typed) == 1:
            return self._classes_with_any(self._specific(lookup(typed[0]), typed[0]))
        words = [word for word in typed if len(word) >= _SHORTEST_BEGINNING] or typed
        pointing = [self._classes_with_any(_pointing(word, lookup(word))) for word in words]
        return set.intersection(*pointing) if pointing else set()

    def _specific(self, fits: Fits, typed: str) -> Iterator[int]:
        """The words that one typed word points to, without what is said of too many classes."""
        for word, fit in _pointing(typed, fits).items():
            if fit <= PLURAL or len(self._index.classes_with(word)) <= _MANY_CLASSES:
                yield word

    def _classes_with_any(self, fitting: Iterable[int]) -> set[int]:
        return set().union(*map(self._index.classes_with, fitting))

    def _described(self, class_index: int, distances: Sequence[int]) -> Candidate:
        typos, distance = divmod(sum(distances), _PER_TYPO)
        in_names = max(distance % _PER_TYPO for distance in distances) < IN_GLOSS
        kind = Match.WORDS_IN_NAME if in_names else Match.GLOSS_OR_ANCESTOR
        rank = Rank(
            match=Match.TYPO if typos else kind,
            typos=typos,
            kind=kind,
            looseness=distance + _ALL_OVER,
            field=1,
            uncovered=1.0,
            length=len(self._index.gloss_words[class_index]),
            class_index=class_index,
        )
        return Candidate(rank, None)

    def _some_words(self, query: Query) -> Iterator[Candidate]:
        """Classes with some of the words; a word said of few classes counts for more."""
        fits = [_pointing(word, self._vocabulary.fits(word)) for word in query.telling]
        weights: defaultdict[int, float] = defaultdict(float)
        for fitting in fits:
            classes = self._classes_with_any(fitting)
            for class_index in classes:
                weights[class_index] += log(len(self._index.gloss_words) / len(classes))
        weighed = [_weigh(fitting) for fitting in fits]
        for class_index, weight in weights.items():
            distances = _distances(self._index.document(class_index), weighed)
            rank = self._described(class_index, distances).rank
            yield Candidate(rank._replace(match=Match.SOME_WORDS, typos=-weight), None)


def _distances(document: Mapping[int, int], weighed: Sequence[Mapping[int, int]]) -> list[int]:
    """For each typed word that fits, how far from the class's name its best word stands."""
    distances = []
    for weights in weighed:
        if len(document) < len(weights):
            found = [weights[word] + place for word, place in document.items() if word in weights]
        else:
            found = [
                weight + document[word] for word, weight in weights.items() if word in document
            ]
        if found:
            distances.append(min(found))
    return distances


def _pointing(typed: str, fits: Fits) -> Fits:
    """What a typed word points to by itself: a short one only what it is the whole of."""
    if len(typed) >= _SHORTEST_BEGINNING:
        return fits
    return {word: fit for word, fit in fits.items() if fit <= PLURAL}


def _weigh(fits: Fits) -> dict[int, int]:
    """What each fitting word adds to its distance from the class's name."""
    return {
        word: _PARTLY[fit]
        if fit < TYPO
        else _PER_TYPO * (fit // TYPO) + _PARTLY[PREFIX] * (fit % TYPO)
        for word, fit in fits.items()
    }


def _named(
    name: Name, kind: Match, *, looseness: int, typos: int = 0, letters: int | None = None
) -> Candidate:
    length = name.letters
    covered = length if letters is None else min(letters, length)
    rank = Rank(
        match=Match.TYPO if typos else kind,
        typos=typos,
        kind=kind,
        looseness=looseness,
        field=0 if name.shown else 1,
        uncovered=1 - covered / length,
        length=length,
        class_index=name.class_index,
    )
    return Candidate(rank, name)
