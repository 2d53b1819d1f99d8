"""Search the classes for typed text and rank the matches.

Ranking by kind of match:

1. the typed text is the wnid or class index;
2. the typed text is one of the names;
3. a name contains the typed words, whole or as prefixes;
4. the typed words are in its names, its gloss or its ancestors' names, nearest first;
5. the same with typos, fewest first, if no name matches exactly;
6. if no class matches all typed words: classes that match some, rare words weighing more.

Ties are broken by whole words before prefixes and substrings, the display name before other names,
then names that begin with the typed text, the larger typed part of the name, the shorter name, the
smaller class index. For a single letter, names that begin with it come first. Accents, case,
hyphens, spaces and plurals are ignored.
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
    """Yield the class with this index or wnid, then classes whose index or wnid begins with it.

    The wnid of an inner node finds the classes under it.
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
    """Finds and ranks classes, one kind of match at a time, until there are enough."""

    def __init__(self, index: SearchIndex) -> None:
        self._vocabulary = index.vocabulary
        self._names = NameSearch(index)
        self._descriptions = DescriptionSearch(index)

    def best(self, query: SearchQuery, limit: int) -> list[SearchCandidate]:
        """Return the best classes for the query, best first."""
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
        """Yield the candidates of each kind of match; looser kinds only while they can help."""
        names, descriptions = self._names, self._descriptions
        fits, near = self._vocabulary.fits, self._vocabulary.near
        yield names.exact(query)
        if len(query.joined) == 1:
            # A single letter begins hundreds of words; the names alone fill a list.
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
    """Searches the classes of one taxonomy by WordNet names and everyday names."""

    def __init__(self, taxonomy: Taxonomy, everyday: EverydayNames | None = None) -> None:
        index = SearchIndex(taxonomy, load_everyday_names() if everyday is None else everyday)
        self._taxonomy = taxonomy
        self._ranking = ClassRanking(index)
        self._highlighter = Highlighter(index)

    def search(self, typed: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """Return the classes that match the typed text, best first; none for empty text."""
        limit = max(limit, 0)
        identified = islice(find_by_identifier(self._taxonomy, typed), limit)
        hits = {hit.wnid: hit for hit in identified}
        query = parse_query(typed)
        if query.words and len(hits) < limit:
            for hit in self._highlighter.hits(query, self._ranking.best(query, limit)):
                hits.setdefault(hit.wnid, hit)
        return tuple(hits.values())[:limit]
