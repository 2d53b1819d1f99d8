"""Finding classes by their names."""

from collections.abc import Iterator, Sequence

from labeler.core.classes.search.class_names import IndexedName, NameField
from labeler.core.classes.search.hits import MatchKind, SearchCandidate, named_candidate
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.query import SearchQuery
from labeler.core.classes.search.vocabulary import (
    PLURAL,
    PREFIX,
    SAME,
    TYPO,
    WITHIN,
    Fits,
    Lookup,
    typos_allowed,
)
from labeler.core.classes.search.word_matching import (
    WordMatch,
    longest_first,
    match_kind,
    match_words,
)


class NameSearch:
    """Finds classes whose names contain the typed text."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index

    def exact(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield names that equal the typed text, ignoring plurals."""
        names = self._index.joined_names
        for looseness, numbers in (
            (PLURAL, names.plural(query.words)),
            (SAME, names.same(query.joined)),
        ):
            for number in numbers:
                name = self._index.names[number]
                yield named_candidate(name, MatchKind.EXACT_NAME, looseness=looseness)

    def beginnings(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield names that begin with the typed text."""
        letters = len(query.joined)
        for number in self._index.joined_names.beginning(query.joined):
            name = self._index.names[number]
            looseness = SAME if letters in name.ends else PREFIX
            yield named_candidate(name, MatchKind.NAME_PREFIX, looseness=looseness, letters=letters)

    def with_all_words(self, query: SearchQuery, lookup: Lookup) -> Iterator[SearchCandidate]:
        """Yield names in which each typed word fits a different word, in any order."""
        fits = [lookup(word) for word in query.words]
        order = longest_first(query.words)
        letters = len(query.joined)
        for number in self._names_with_all(fits):
            name = self._index.names[number]
            placed = match_words(order, fits, name.words)
            if len(placed) < len(query.words):
                continue
            typos = sum(word.fit // TYPO for word in placed)
            if typos > typos_allowed(letters):
                continue
            kind = match_kind(placed, name.own_words)
            looseness = sum(word.fit % TYPO for word in placed)
            yield named_candidate(
                name,
                kind,
                typos=typos,
                looseness=looseness,
                letters=letters,
                is_kind_of=_is_kind_of(name, placed),
                is_within=any(word.fit == WITHIN for word in placed),
            )

    def _names_with_all(self, fits: Sequence[Fits]) -> set[int]:
        """Return the names in which every typed word fits some word."""
        names_with = self._index.names_with
        common: set[int] | None = None
        for fitting in sorted(fits, key=len):
            names = {number for word in fitting for number in names_with.get(word, ())}
            common = names if common is None else common & names
            if not common:
                break
        return common or set()

    def nearly_exact(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield names that, joined, are a few typos away from the typed text."""
        joined, names = query.joined, self._index.joined_names
        for joined_name, typos in names.near(joined, allowed=typos_allowed(len(joined))):
            for number in names.same(joined_name):
                name = self._index.names[number]
                yield named_candidate(name, MatchKind.EXACT_NAME, typos=typos, looseness=SAME)


def _is_kind_of(name: IndexedName, placed: Sequence[WordMatch]) -> bool:
    """Return whether a class's name ends in the only typed word."""
    (first, *others) = placed
    is_last = name.field is NameField.CLASS and first.place == name.own_words - 1
    return is_last and not others and first.fit <= PLURAL
