"""The names of the classes as the search sees them: as words, and joined without spaces."""

import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from labeler.core.classes.search.text_folding import folded_words, stem
from labeler.core.classes.search.vocabulary import BEYOND_ANY_LETTER
from labeler.core.classes.taxonomy import Taxonomy
from labeler.locations import RESOURCES

EverydayNames = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def load_everyday_names() -> EverydayNames:
    """Return the shipped everyday names by wnid."""
    text = (RESOURCES / "everyday-names.toml").read_text(encoding="utf-8")
    return MappingProxyType({wnid: tuple(names) for wnid, names in tomllib.loads(text).items()})


class NameText(NamedTuple):
    """A name of a class; a display name may end in words that make it unique."""

    class_index: int
    text: str
    shown: bool
    words: tuple[str, ...]
    own_words: int


class IndexedName(NamedTuple):
    """A name with its words by number, and how many letters precede the end of each word.

    `letters` counts the letters without the distinguishing words.
    """

    class_index: int
    text: str
    shown: bool
    own_words: int
    words: tuple[int, ...]
    ends: tuple[int, ...]
    letters: int


def name_texts(taxonomy: Taxonomy, everyday: EverydayNames) -> Iterator[NameText]:
    """Yield the names of all classes, display names first; names without words are left out."""
    for class_index, wnid in enumerate(taxonomy.class_wnids):
        first, *others = taxonomy[wnid].lemmas
        shown = taxonomy.display_names[wnid]
        words = folded_words(shown)
        own_words = len(words) if shown == first else len(folded_words(first))
        if own_words:
            yield NameText(class_index, shown, True, words, own_words)
        for text in (*others, *everyday.get(wnid, ())):
            if words := folded_words(text):
                yield NameText(class_index, text, False, words, len(words))


def index_name(name: NameText, numbers: Mapping[str, int]) -> IndexedName:
    """Return the name with its words replaced by their numbers in the vocabulary."""
    ends = tuple(accumulate(map(len, name.words)))
    words = tuple([numbers[word] for word in name.words])
    letters = ends[name.own_words - 1]
    return IndexedName(
        name.class_index, name.text, name.shown, name.own_words, words, ends, letters
    )


class JoinedNames:
    """The names joined without spaces, so that "hot dog" and "hotdog" match."""

    def __init__(self, names: Sequence[IndexedName], words: Sequence[str]) -> None:
        self._same: dict[str, list[int]] = {}
        self._plural: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            for length in {name.own_words, len(name.words)}:
                spelled = [words[word] for word in name.words[:length]]
                self._same.setdefault("".join(spelled), []).append(number)
                self._plural.setdefault("".join(map(stem, spelled)), []).append(number)
        self.joined = sorted(self._same)

    def same(self, joined: str) -> Sequence[int]:
        """Return the names that equal this when joined."""
        return self._same.get(joined, ())

    def plural(self, typed: Sequence[str]) -> Sequence[int]:
        """Return the names that equal the typed words, ignoring plurals."""
        return self._plural.get("".join(map(stem, typed)), ())

    def beginning(self, joined: str) -> set[int]:
        """Return the names that begin with this when joined."""
        first = bisect_left(self.joined, joined)
        last = bisect_left(self.joined, joined + BEYOND_ANY_LETTER, lo=first)
        return {number for name in self.joined[first:last] for number in self._same[name]}
