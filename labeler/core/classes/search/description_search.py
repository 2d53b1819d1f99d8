"""Find classes by words in their names, their gloss and their ancestors' names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import Final

from labeler.core.classes.search.class_names import NameField
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

# Added to a word's distance from the class name if it was typed only in part.
_PARTLY: Final = {SAME: 0, PLURAL: 1, PREFIX: 10, INSIDE: 20}
# A typo outweighs any distance.
_PER_TYPO: Final = 1_000_000
# Words spread over several names, or outside names, are looser than any match in one name.
_SPREAD: Final = 1000
# Shorter prefixes match too many words: in glosses and ancestors' names they must be whole words.
_SHORTEST_BEGINNING: Final = 4
_MIN_SIGNIFICANT_LETTERS: Final = 3
# A prefix of a word is ignored on its own if the word describes more classes than this.
_MANY_CLASSES: Final = 100


class DescriptionSearch:
    """Finds classes by words in any of their texts."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index

    def with_all_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Yield the classes with every significant word in a name, gloss or ancestor's name."""
        typed = query.significant
        weighed = [_weigh(lookup(word)) for word in typed]
        too_far = _PER_TYPO * (typos_allowed(sum(map(len, typed))) + 1)
        for class_index in self._classes_with_all(typed, lookup):
            distances = _distances(self._index.document(class_index), weighed)
            if len(distances) == len(weighed) and sum(distances) < too_far:
                yield self._described(class_index, distances)

    def _classes_with_all(self, typed: Sequence[str], lookup: Lookup) -> set[int]:
        """Return the candidate classes: those with a word that is long enough to be specific."""
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
        """Return all words that fit, but only the specific ones if a whole word was typed."""
        return self._specific(fits) if min(fits.values(), default=SAME) <= PLURAL else fits

    def _specific(self, fits: Fits) -> Iterator[int]:
        """Yield the words that were typed in full, or that describe few enough classes."""
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
            looseness=distance + _SPREAD,
            field=NameField.OTHER,
            kind=kind,
            uncovered=1.0,
            length=len(self._index.gloss_words[class_index]),
            entry=class_index,
        )
        return SearchCandidate(rank, None)

    def below_branch(self, class_index: int, kind: MatchKind) -> SearchCandidate:
        """Return a class of a branch that was found, with this kind of match."""
        rank = self._described(class_index, [IN_GLOSS]).rank
        return SearchCandidate(rank._replace(tier=kind, kind=kind), None)

    def with_some_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Yield the classes with some of the words; rare words weigh more."""
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
    """Return, for each typed word that fits, the distance of its best word from the class name."""
    distances = []
    for weights in weighed:
        if len(document) < len(weights):
            found = [
                weights[word] + distance for word, distance in document.items() if word in weights
            ]
        else:
            found = [
                weight + document[word] for word, weight in weights.items() if word in document
            ]
        if found:
            distances.append(min(found))
    return distances


def _pointing(typed: str, lookup: Lookup) -> Fits:
    """Return what a typed word fits by itself; a short one must match a whole word."""
    fits = lookup(typed)
    if len(typed) >= _SHORTEST_BEGINNING:
        return fits
    return {word: fit for word, fit in fits.items() if fit <= PLURAL}


def _weigh(fits: Fits) -> dict[int, int]:
    """Return what each fitting word adds to its distance from the class name."""
    return {
        word: _PARTLY[fit]
        if fit < TYPO
        else _PER_TYPO * (fit // TYPO) + _PARTLY[PREFIX] * (fit % TYPO)
        for word, fit in fits.items()
    }
