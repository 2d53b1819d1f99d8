"""Find classes by words in their names, description, gloss and their ancestors' names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import Final

from labeler.core.classes.search.class_names import NameField
from labeler.core.classes.search.hits import MatchKind, SearchCandidate, SearchRank
from labeler.core.classes.search.index import IN_DESCRIPTION, IN_GLOSS, SearchIndex
from labeler.core.classes.search.query import SearchQuery
from labeler.core.classes.search.vocabulary import (
    FORM,
    INSIDE,
    PLURAL,
    PREFIX,
    SAME,
    TYPO,
    WITHIN,
    Fits,
    Lookup,
    typos_allowed,
)

# Added to a word's distance from the class name if it was typed only in part.
_PARTLY: Final = {SAME: 0, PLURAL: 1, PREFIX: 10, FORM: 10, INSIDE: 20}
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
    """Finds classes by words in any of their texts, with or without what people say about them."""

    def __init__(self, index: SearchIndex, *, described: bool) -> None:
        self._index = index
        self._is_described = described
        self._classes_with = index.classes_described_with if described else index.classes_with
        self._document = index.full_document if described else index.document

    def with_all_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Yield the classes with every significant word in a name, gloss or ancestor's name."""
        typed, lookup = query.significant, _without_letters_within(lookup)
        weighed = [_weigh(lookup(word)) for word in typed]
        too_far = _PER_TYPO * (typos_allowed(sum(map(len, typed))) + 1)
        for class_index in self._classes_with_all(typed, lookup):
            distances = _distances(self._document(class_index), weighed)
            if len(distances) == len(weighed) and sum(distances) < too_far:
                reach = self._reach(class_index, weighed)
                yield self._described(class_index, distances, reach=reach)

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
            if fit <= PLURAL or len(self._classes_with(word)) <= _MANY_CLASSES:
                yield word

    def _classes_with_any(self, fitting: Iterable[int]) -> set[int]:
        return set().union(*map(self._classes_with, fitting))

    def _reach(self, class_index: int, weighed: Sequence[Mapping[int, int]]) -> float:
        """Return which part of the description has been read when all typed words have come.

        It begins with what is typical of the class.
        """
        words = self._index.description_words[class_index] if self._is_described else []
        places = [
            next((place for place, word in enumerate(words) if word in weights), len(words))
            for weights in weighed
        ]
        return max(places) / len(words) if words else 1.0

    def _described(
        self, class_index: int, distances: Sequence[int], *, reach: float = 1.0
    ) -> SearchCandidate:
        typos, distance = divmod(sum(distances), _PER_TYPO)
        in_names = max(word % _PER_TYPO for word in distances) < IN_DESCRIPTION
        kind = MatchKind.WORDS_IN_NAME if in_names else MatchKind.GLOSS_OR_ANCESTOR
        rank = SearchRank(
            tier=MatchKind.TYPO if typos else kind,
            typos=typos,
            looseness=distance + _SPREAD,
            field=NameField.OTHER,
            kind=kind,
            uncovered=reach,
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
        lookup = _without_letters_within(lookup)
        fits = [_pointing(word, lookup) for word in query.significant]
        weights: defaultdict[int, float] = defaultdict(float)
        for fitting in fits:
            classes = self._classes_with_any(fitting)
            for class_index in classes:
                weights[class_index] += log(len(self._index.gloss_words) / len(classes))
        weighed = [_weigh(fitting) for fitting in fits]
        for class_index, weight in weights.items():
            distances = _distances(self._document(class_index), weighed)
            reach = self._reach(class_index, weighed)
            rank = self._described(class_index, distances, reach=reach).rank
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


def _without_letters_within(lookup: Lookup) -> Lookup:
    """Return a lookup without words that merely contain the typed letters, as train does rain."""

    def words(typed: str) -> Fits:
        return {word: fit for word, fit in lookup(typed).items() if fit != WITHIN}

    return words


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
