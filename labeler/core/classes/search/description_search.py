"""Finding classes by what is said of them: in their names, their gloss, their ancestors' names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import Final

from labeler.core.classes.search.hits import MatchKind, SearchCandidate, SearchRank
from labeler.core.classes.search.index import IN_GLOSS, SearchIndex
from labeler.core.classes.search.query import SearchQuery
from labeler.core.classes.search.vocabulary import (
    INSIDE,
    PLURAL,
    PREFIX,
    SAME,
    TYPO,
    Fits,
    Lookup,
    typos_allowed,
)

# What it adds to a word's distance from the class's name if only a part of it was typed.
_PARTLY: Final = {SAME: 0, PLURAL: 1, PREFIX: 10, INSIDE: 20}
# A typo outweighs any distance.
_PER_TYPO: Final = 1_000_000
# Words that stand in several names, or not in names, are looser than any in one name.
_ALL_OVER: Final = 1000
# Shorter words begin too many words: in glosses and ancestors' names they must be whole.
_SHORTEST_BEGINNING: Final = 4
_MIN_SIGNIFICANT_LETTERS: Final = 3
# The beginning of a word says nothing by itself if the word is said of more classes than this.
_MANY_CLASSES: Final = 100


class DescriptionSearch:
    """Finds classes by words that may stand in any of their texts."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index

    def with_all_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Classes with every telling word in a name, the gloss or an ancestor's name."""
        typed = query.significant
        weighed = [_weigh(lookup(word)) for word in typed]
        too_far = _PER_TYPO * (typos_allowed(sum(map(len, typed))) + 1)
        for class_index in self._classes_with_all(typed, lookup):
            distances = _distances(self._index.document(class_index), weighed)
            if len(distances) == len(weighed) and sum(distances) < too_far:
                yield self._described(class_index, distances)

    def _classes_with_all(self, typed: Sequence[str], lookup: Lookup) -> set[int]:
        """The classes worth a closer look: those that the words long enough to tell point to."""
        if len(typed) == 1:
            return self._classes_with_any(self._specific(_pointing(typed[0], lookup)))
        long = [word for word in typed if len(word) >= _SHORTEST_BEGINNING]
        classes = [self._classes_with_any(self._pointed_to(lookup(word))) for word in long]
        if not long:
            short = [word for word in typed if len(word) >= _MIN_SIGNIFICANT_LETTERS]
            found = [self._classes_with_any(_pointing(word, lookup)) for word in short]
            classes = [some for some in found if some]
        return set.intersection(*classes) if classes else set()

    def _pointed_to(self, fits: Fits) -> Iterable[int]:
        """All that a word fits, but only what is specific if it is a whole word already."""
        return self._specific(fits) if min(fits.values(), default=SAME) <= PLURAL else fits

    def _specific(self, fits: Fits) -> Iterator[int]:
        """The words that are typed in whole, or that are not said of too many classes."""
        for word, fit in fits.items():
            if fit <= PLURAL or len(self._index.classes_with(word)) <= _MANY_CLASSES:
                yield word

    def _classes_with_any(self, fitting: Iterable[int]) -> set[int]:
        return set().union(*map(self._index.classes_with, fitting))

    def _described(self, class_index: int, distances: Sequence[int]) -> SearchCandidate:
        typos, distance = divmod(sum(distances), _PER_TYPO)
        in_names = max(word % _PER_TYPO for word in distances) < IN_GLOSS
        kind = MatchKind.WORDS_IN_NAME if in_names else MatchKind.GLOSS_OR_ANCESTOR
        rank = SearchRank(
            tier=MatchKind.TYPO if typos else kind,
            typos=typos,
            looseness=distance + _ALL_OVER,
            field=1,
            kind=kind,
            uncovered=1.0,
            length=len(self._index.gloss_words[class_index]),
            class_index=class_index,
        )
        return SearchCandidate(rank, None)

    def with_some_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Classes with some of the words; a word said of few classes counts for more."""
        fits = [_pointing(word, lookup) for word in query.significant]
        weights: defaultdict[int, float] = defaultdict(float)
        for fitting in fits:
            classes = self._classes_with_any(fitting)
            for class_index in classes:
                weights[class_index] += log(len(self._index.gloss_words) / len(classes))
        weighed = [_weigh(fitting) for fitting in fits]
        for class_index, weight in weights.items():
            distances = _distances(self._index.document(class_index), weighed)
            rank = self._described(class_index, distances).rank
            yield SearchCandidate(rank._replace(tier=MatchKind.SOME_WORDS, typos=-weight), None)


def _distances(document: Mapping[int, int], weighed: Sequence[Mapping[int, int]]) -> list[int]:
    """For each typed word that fits, how far from the class's name its best word is."""
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


def _pointing(typed: str, lookup: Lookup) -> Fits:
    """What a typed word points to by itself: a short one only what it is the whole of."""
    fits = lookup(typed)
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
