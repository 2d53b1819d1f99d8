"""Words that are no class's name but mean something that belongs to a class or a branch."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from labeler.core.classes.search.class_names import NameField
from labeler.core.classes.search.hits import MatchKind, SearchCandidate, SearchRank
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.query import SearchQuery
from labeler.core.classes.search.text_folding import stem
from labeler.core.classes.search.vocabulary import BEYOND_ANY_LETTER, PLURAL, SAME
from labeler.locations import RESOURCES

RelatedNodes = Mapping[str, tuple[str, tuple[str, ...]]]
"""The word as written, and its nodes with the commonest meaning first, by the word's letters."""

_SHORTEST_WORD = 3
_SHORTEST_BEGINNING = 4
_BETWEEN_LETTERS = str.maketrans("", "", " -'.")


@lru_cache(maxsize=1)
def load_related_words() -> RelatedNodes:
    """Return the shipped words, which WordNet lists below the nodes of ImageNet's taxonomy."""
    words: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in (RESOURCES / "related-words.txt").read_text(encoding="utf-8").splitlines():
        word, _, nodes = line.partition("\t")
        words.setdefault(word.translate(_BETWEEN_LETTERS), (word, tuple(nodes.split())))
    return MappingProxyType(words)


class RelatedWordSearch:
    """Finds the classes and branches that a related word belongs to."""

    def __init__(self, index: SearchIndex, words: RelatedNodes) -> None:
        self._index, self._words = index, words
        self._sorted = sorted(words)

    def exact(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield what the typed word belongs to, ignoring plurals."""
        joined = query.joined
        if len(joined) < _SHORTEST_WORD:
            return
        if joined in self._words:
            yield from self._candidates(joined, MatchKind.RELATED_WORD, looseness=SAME)
            return
        singular = next((word for word in _singulars(query.words) if word in self._words), None)
        if singular is not None:
            yield from self._candidates(singular, MatchKind.RELATED_WORD, looseness=PLURAL)

    def beginnings(self, query: SearchQuery) -> Iterator[SearchCandidate]:
        """Yield what the words belong to that begin with the typed text."""
        joined = query.joined
        if len(joined) < _SHORTEST_BEGINNING:
            return
        first = bisect_left(self._sorted, joined)
        last = bisect_left(self._sorted, joined + BEYOND_ANY_LETTER, lo=first)
        for word in self._sorted[first:last]:
            missing = len(word) - len(joined)
            yield from self._candidates(word, MatchKind.RELATED_PREFIX, looseness=missing)

    def _candidates(
        self, key: str, kind: MatchKind, *, looseness: int
    ) -> Iterator[SearchCandidate]:
        word, nodes = self._words[key]
        for meaning, wnid in enumerate(nodes):
            entry = self._entry(wnid)
            if entry is not None:
                field = NameField.BRANCH if self._index.is_branch(entry) else NameField.CLASS
                rank = SearchRank(kind, meaning, looseness, field, kind, 0.0, len(word), entry)
                yield SearchCandidate(rank, None, word)

    def _entry(self, wnid: str) -> int | None:
        """Return the class or branch of a node; a branch with one class means this class."""
        taxonomy = self._index.taxonomy
        if wnid not in taxonomy:
            return None
        if taxonomy.is_class(wnid):
            return taxonomy.index_of(wnid)
        classes = taxonomy.classes_under(wnid)
        if len(classes) == 1:
            return taxonomy.index_of(classes[0])
        return self._index.branch_entries.get(wnid)


def _singulars(words: tuple[str, ...]) -> Iterator[str]:
    """Yield what the typed words may be the plural of."""
    *before, last = words
    start = "".join(before)
    yield start + stem(last)
    for ending in ("s", "es"):
        if last.endswith(ending):
            yield start + last.removesuffix(ending)
