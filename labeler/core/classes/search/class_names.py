"""The names of classes and branches as the words that the search sees.

Classes and branches are numbered together: first the classes by class index, then the branches.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from labeler.core.classes.branch_names import branch_name
from labeler.core.classes.search.text_folding import folded_words
from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode
from labeler.locations import RESOURCES

EverydayNames = Mapping[str, tuple[str, ...]]
Descriptions = Mapping[str, str]


@lru_cache(maxsize=1)
def load_everyday_names() -> EverydayNames:
    """Return the shipped everyday names by wnid."""
    text = (RESOURCES / "everyday-names.toml").read_text(encoding="utf-8")
    return MappingProxyType({wnid: tuple(names) for wnid, names in tomllib.loads(text).items()})


@lru_cache(maxsize=1)
def load_descriptions() -> Descriptions:
    """Return what people say about the shipped classes by wnid."""
    text = (RESOURCES / "class-descriptions.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))


class NameField(IntEnum):
    """Which name of a class or branch it is; a smaller value ranks first."""

    CLASS = 0
    BRANCH = 1
    OTHER = 2


class NameText(NamedTuple):
    """A name of a class or branch; a display name may end in words that make it unique."""

    entry: int
    text: str
    field: NameField
    words: tuple[str, ...]
    own_words: int


class IndexedName(NamedTuple):
    """A name with its words by number, and how many letters precede the end of each word.

    `letters` counts the letters without the distinguishing words.
    """

    entry: int
    text: str
    field: NameField
    own_words: int
    words: tuple[int, ...]
    ends: tuple[int, ...]
    letters: int


def searchable_branches(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the inner nodes with several classes, except those that contain most of them."""
    most = len(taxonomy.class_wnids) / 2
    counts = ((node.wnid, len(taxonomy.classes_under(node.wnid))) for node in _inner(taxonomy))
    return tuple(wnid for wnid, count in counts if 1 < count <= most)


def _inner(taxonomy: Taxonomy) -> Iterator[TaxonomyNode]:
    return (node for node in taxonomy.nodes.values() if node.children)


def name_texts(
    taxonomy: Taxonomy, branches: Sequence[str], everyday: EverydayNames
) -> Iterator[NameText]:
    """Yield the names of all classes and branches; names without words are left out."""
    yield from _class_texts(taxonomy, everyday)
    for entry, wnid in enumerate(branches, start=len(taxonomy.class_wnids)):
        shown = dict.fromkeys((branch_name(taxonomy, wnid), taxonomy[wnid].name))
        others = dict.fromkeys((*taxonomy[wnid].lemmas, *everyday.get(wnid, ())))
        for text in {**shown, **others}:
            if words := folded_words(text):
                field = NameField.BRANCH if text in shown else NameField.OTHER
                yield NameText(entry, text, field, words, len(words))


def _class_texts(taxonomy: Taxonomy, everyday: EverydayNames) -> Iterator[NameText]:
    """Yield the names of all classes, display names first."""
    for class_index, wnid in enumerate(taxonomy.class_wnids):
        first, *others = taxonomy[wnid].lemmas
        shown = taxonomy.display_names[wnid]
        words = folded_words(shown)
        own_words = len(words) if shown == first else len(folded_words(first))
        if own_words:
            yield NameText(class_index, shown, NameField.CLASS, words, own_words)
        for text in (*others, *everyday.get(wnid, ())):
            if words := folded_words(text):
                yield NameText(class_index, text, NameField.OTHER, words, len(words))


def index_name(name: NameText, numbers: Mapping[str, int]) -> IndexedName:
    """Return the name with its words replaced by their numbers in the vocabulary."""
    ends = tuple(accumulate(map(len, name.words)))
    words = tuple([numbers[word] for word in name.words])
    letters = ends[name.own_words - 1]
    return IndexedName(name.entry, name.text, name.field, name.own_words, words, ends, letters)
