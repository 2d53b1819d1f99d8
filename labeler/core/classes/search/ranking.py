"""Ranking the classes for what was typed, by rules that can be told to a person."""

from collections.abc import Iterable, Iterator
from itertools import chain

from labeler.core.classes.search.candidates import SearchCandidate
from labeler.core.classes.search.description_search import DescriptionSearch
from labeler.core.classes.search.hits import MatchKind
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.name_search import NameSearch
from labeler.core.classes.search.query import SearchQuery


class ClassRanking:
    """Finds and ranks classes, kind of match by kind of match, until there are enough."""

    def __init__(self, index: SearchIndex) -> None:
        self._vocabulary = index.vocabulary
        self._names = NameSearch(index)
        self._descriptions = DescriptionSearch(index)

    def best(self, query: SearchQuery, limit: int) -> list[SearchCandidate]:
        """The best classes for the query, best first."""
        found: dict[int, SearchCandidate] = {}
        for candidates in self._kinds(query, found):
            for candidate in candidates:
                known = found.get(candidate.rank.class_index)
                if known is None or candidate.rank < known.rank:
                    found[candidate.rank.class_index] = candidate
            if len(found) >= limit:
                break
        return sorted(found.values(), key=lambda candidate: candidate.rank)[:limit]

    def _kinds(
        self, query: SearchQuery, found: dict[int, SearchCandidate]
    ) -> Iterator[Iterable[SearchCandidate]]:
        """The candidates of each kind of match in turn; looser kinds only while they help."""
        names, descriptions = self._names, self._descriptions
        fits, near = self._vocabulary.fits, self._vocabulary.near
        yield names.exact(query)
        if len(query.joined) == 1:
            # One letter begins hundreds of words, and names enough for a whole list.
            yield names.beginnings(query)
        yield chain(names.beginnings(query), names.with_all_words(query, fits))
        yield descriptions.with_all_words(query, fits)
        if all(known.rank.match > MatchKind.WORDS_IN_NAME for known in found.values()):
            yield chain(names.nearly_exact(query), names.with_all_words(query, near))
        if not found:
            yield descriptions.with_all_words(query, near)
        if not found:
            yield descriptions.with_some_words(query, fits)
