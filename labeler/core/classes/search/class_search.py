"""Search the classes and the branches of the taxonomy for typed text and rank the matches.

Ranking by kind of match:

1. the typed text is the wnid or class index;
2. the typed text is one of the names;
3. the typed word means something that belongs to a class or branch, as a kayak is a canoe;
4. a name contains the typed words, whole or as prefixes;
5. the typed words are in a class's names, its description, its gloss or its ancestors' names,
   nearest first, then classes of branches that match, and classes of branches that a typed related
   word belongs to;
6. if no name matches: words that begin with the typed text and belong to a class or branch;
7. the same as 2, 4 and 5 with typos, fewest first;
8. if no class matches all typed words: classes that match some, rare words weighing more.

Ties are broken by whole words before prefixes and substrings, a class's display name before a
branch's name before other names, then names that begin with the typed text, the larger typed part
of the name, the shorter name, the smaller class index. For a single letter only names that begin
with it are found. Accents, case,
hyphens, spaces and plurals are ignored.
"""

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import overload

from labeler.core.classes.search.class_names import (
    Descriptions,
    EverydayNames,
    load_descriptions,
    load_everyday_names,
)
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
from labeler.core.classes.search.related_words import (
    RelatedNodes,
    RelatedWordSearch,
    load_related_words,
)
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


_RANKINGS_KEPT = 512


class ResultRanking:
    """Finds and ranks classes and branches; looser kinds of match only where they can help."""

    def __init__(self, index: SearchIndex, related: RelatedNodes) -> None:
        self._index = index
        self._names = NameSearch(index)
        self._glosses = DescriptionSearch(index, described=False)
        self._descriptions = DescriptionSearch(index, described=True)
        self._related = RelatedWordSearch(index, related)
        # People begin with the same letters again and again, and one letter finds thousands.
        self.ranked = lru_cache(maxsize=_RANKINGS_KEPT)(self._ranked)

    def _ranked(self, query: SearchQuery) -> Sequence[SearchCandidate]:
        """Return everything that matches the query, best first."""
        found: dict[int, SearchCandidate] = {}
        for candidates in self._kinds(query, found):
            for candidate in candidates:
                known = found.get(candidate.rank.entry)
                if known is None or candidate.rank < known.rank:
                    found[candidate.rank.entry] = candidate
        return sorted(found.values(), key=itemgetter(0))

    def _kinds(
        self, query: SearchQuery, found: dict[int, SearchCandidate]
    ) -> Iterator[Iterable[SearchCandidate]]:
        """Yield the candidates of each kind of match."""
        names, vocabulary = self._names, self._index.vocabulary
        fits, forms, near = vocabulary.fits, vocabulary.forms, vocabulary.near
        yield names.exact(query)
        if len(query.joined) == 1:
            # A single letter begins hundreds of words; the beginnings of names are enough.
            yield names.beginnings(query)
            if found:
                return
        yield self._related.exact(query)
        yield self._classes_of_branches(list(found.values()))
        names_branch = any(map(self._index.is_branch, found))
        yield chain(names.beginnings(query), names.with_all_words(query, fits))
        if names_branch:
            yield self._glosses.with_all_words(query, fits)
            yield self._described_after_branch(query)
        else:
            yield self._descriptions.with_all_words(query, forms)
        if all(known.rank.match > MatchKind.WORDS_IN_NAME for known in found.values()):
            yield self._related.beginnings(query)
            yield chain(names.nearly_exact(query), names.with_all_words(query, near))
        if not found:
            yield self._descriptions.with_all_words(query, near)
        if not found:
            yield self._descriptions.with_some_words(query, forms)

    def _described_after_branch(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield the described classes after those of the branch that was typed.

        Many descriptions say “dog” or “bird”: who types it alone wants the dogs or the birds.
        """
        if len(query.significant) == 1:
            return
        forms = self._index.vocabulary.forms
        for candidate in self._descriptions.with_all_words(query, forms):
            rank = candidate.rank._replace(tier=MatchKind.IN_BRANCH)
            yield candidate._replace(rank=rank)

    def _classes_of_branches(self, found: list[SearchCandidate]) -> Iterator[SearchCandidate]:
        """Yield the classes of the branches that were found, so that they can be chosen."""
        taxonomy = self._index.taxonomy
        for rank, *_ in found:
            if self._index.is_branch(rank.entry):
                related = rank.match is MatchKind.RELATED_WORD
                kind = MatchKind.IN_RELATED_BRANCH if related else MatchKind.IN_BRANCH
                for wnid in taxonomy.classes_under(self._index.wnids[rank.entry]):
                    yield self._glosses.below_branch(taxonomy.index_of(wnid), kind)


class SearchResults(Sequence[SearchHit]):
    """The classes and branches found, best first; what to highlight is computed on access."""

    def __init__(
        self,
        identified: Sequence[SearchHit],
        candidates: Sequence[SearchCandidate],
        *,
        index: SearchIndex,
        highlight: Callable[[SearchCandidate], SearchHit],
    ) -> None:
        known = {hit.wnid for hit in identified}
        others = [c for c in candidates if not known or index.wnids[c.rank.entry] not in known]
        self._identified, self._others = identified, others
        self._highlight = lru_cache(maxsize=None)(highlight)
        branches = index.is_branch
        self.branch_count = sum(branches(candidate.rank.entry) for candidate in others)
        self.class_count = len(self) - self.branch_count
        self._index = index

    def __len__(self) -> int:
        return len(self._identified) + len(self._others)

    @overload
    def __getitem__(self, number: int) -> SearchHit: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[SearchHit]: ...
    def __getitem__(self, number: int | slice) -> SearchHit | Sequence[SearchHit]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(number)
        if number < len(self._identified):
            return self._identified[number]
        return self._highlight(self._others[number - len(self._identified)])

    def close_classes(self) -> Iterator[str]:
        """Yield the classes found, without those of branches that merely a related word belongs to.

        A horn is a device, but a person who types it doesn't mean all devices. These classes are
        left out only if other ones match.
        """
        yield from (hit.wnid for hit in self._identified if not hit.is_branch)
        ranks = [c.rank for c in self._others if not self._index.is_branch(c.rank.entry)]
        close = [rank for rank in ranks if rank.match is not MatchKind.IN_RELATED_BRANCH]
        yield from (self._index.wnids[rank.entry] for rank in close or ranks)

    def entries(self) -> Iterator[tuple[str, bool]]:
        """Yield the wnid of each result, and whether it is a branch, without highlighting."""
        yield from ((hit.wnid, hit.is_branch) for hit in self._identified)
        for candidate in self._others:
            entry = candidate.rank.entry
            yield self._index.wnids[entry], self._index.is_branch(entry)


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause garbage collection, which would look at each of many new tuples again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class ClassSearch:
    """Searches a taxonomy by WordNet's names, everyday names and related words."""

    def __init__(
        self,
        taxonomy: Taxonomy,
        everyday: EverydayNames | None = None,
        related: RelatedNodes | None = None,
        descriptions: Descriptions | None = None,
    ) -> None:
        self._taxonomy = taxonomy
        with _collection_paused():
            names = load_everyday_names() if everyday is None else everyday
            texts = load_descriptions() if descriptions is None else descriptions
            self._index = SearchIndex(taxonomy, names, texts)
            words = load_related_words() if related is None else related
            self._ranking = ResultRanking(self._index, words)
            self._highlighter = Highlighter(self._index)

    def find(self, typed: str) -> SearchResults:
        """Return all classes and branches that match the typed text; none for empty text."""
        identified = tuple(find_by_identifier(self._taxonomy, typed))
        query = parse_query(typed)
        candidates = self._ranking.ranked(query) if query.words else []
        return SearchResults(
            identified,
            candidates,
            index=self._index,
            highlight=self._highlighter.highlighting(query),
        )

    def search(self, typed: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """Return the best classes that match the typed text, without branches."""
        found = self.find(typed)
        classes = (number for number, (_, branch) in enumerate(found.entries()) if not branch)
        return tuple(found[number] for number in islice(classes, max(limit, 0)))
