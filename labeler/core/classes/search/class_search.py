"""From what is typed to ranked classes.

The order, by how a class matches:

1. its wnid or class index is what was typed;
2. one of its names is what was typed;
3. one of its names has the typed words, whole or as beginnings of words;
4. the typed words stand in its names, its gloss or its ancestors' names, near ones first;
5. the same with typos, the fewest first, if no name has what was typed;
6. if nothing has all the typed words: classes that have some, the rarer the better.

Among equals whole words come before beginnings and insides of words, the shown name before
other names, then names that begin with what was typed, the name of which more was typed, the
shorter name, the smaller class index. Of a single letter, names that begin with it come first.
Accents, case, hyphens, gaps between words and plurals don't matter.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from labeler.core.classes.search.class_names import EverydayNames, load_everyday_names
from labeler.core.classes.search.description_search import DescriptionSearch
from labeler.core.classes.search.highlighter import Highlighter
from labeler.core.classes.search.hits import (
    MatchedField,
    MatchKind,
    SearchCandidate,
    SearchHit,
    TextSpan,
)
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.name_search import NameSearch
from labeler.core.classes.search.query import SearchQuery, parse_query
from labeler.core.classes.taxonomy import Taxonomy

_INDEX = re.compile(r"[0-9]{1,6}")
_WNID = re.compile(r"n[0-9]{1,8}")


def find_by_identifier(taxonomy: Taxonomy, typed: str) -> Iterator[SearchHit]:
    """The class with this index or wnid, then those whose index or wnid begins so.

    An inner node's wnid finds the classes under it.
    """
    identifier = typed.strip().lower()
    if _INDEX.fullmatch(identifier):
        yield from _find_indices(taxonomy, identifier)
    elif _WNID.fullmatch(identifier):
        yield from _find_wnids(taxonomy, identifier)


def _find_indices(taxonomy: Taxonomy, identifier: str) -> Iterator[SearchHit]:
    index = int(identifier)
    if index < len(taxonomy.class_wnids):
        text = str(index)
        yield _hit(taxonomy.class_wnids[index], text, len(text))
    for other, wnid in enumerate(taxonomy.class_wnids):
        if other != index and str(other).startswith(identifier):
            yield _hit(wnid, str(other), len(identifier))


def _find_wnids(taxonomy: Taxonomy, identifier: str) -> Iterator[SearchHit]:
    if identifier in taxonomy:
        for wnid in taxonomy.classes_under(identifier):
            yield _hit(wnid, identifier, len(identifier))
        return
    for wnid in taxonomy.class_wnids:
        if wnid.startswith(identifier):
            yield _hit(wnid, wnid, len(identifier))


def _hit(wnid: str, text: str, letters: int) -> SearchHit:
    spans = (TextSpan(0, letters),)
    return SearchHit(
        wnid, MatchKind.IDENTIFIER, MatchedField.IDENTIFIER, text, spans, name_spans=()
    )


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


class ClassSearch:
    """Searches the classes of one taxonomy, by WordNet's names and by everyday ones."""

    def __init__(self, taxonomy: Taxonomy, everyday: EverydayNames | None = None) -> None:
        index = SearchIndex(taxonomy, load_everyday_names() if everyday is None else everyday)
        self._taxonomy = taxonomy
        self._ranking = ClassRanking(index)
        self._marker = Highlighter(index)

    def search(self, typed: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """The classes that match what was typed, best first; none if nothing was typed."""
        limit = max(limit, 0)
        identified = islice(find_by_identifier(self._taxonomy, typed), limit)
        hits = {hit.wnid: hit for hit in identified}
        query = parse_query(typed)
        if query.words and len(hits) < limit:
            for hit in self._marker.hits(query, self._ranking.best(query, limit)):
                hits.setdefault(hit.wnid, hit)
        return tuple(hits.values())[:limit]
