"""The search index: names, descriptions, glosses and ancestors by the words in them."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Final, TypeVar

from labeler.core.classes.branch_names import branch_name
from labeler.core.classes.search.class_names import (
    Descriptions,
    EverydayNames,
    IndexedName,
    index_name,
    name_texts,
    searchable_branches,
)
from labeler.core.classes.search.joined_names import JoinedNames
from labeler.core.classes.search.text_folding import folded_words
from labeler.core.classes.search.vocabulary import Vocabulary
from labeler.core.classes.taxonomy import Taxonomy

# The distance of a word from a class's display name; an ancestor adds its edges, up to MOST_EDGES.
IN_NAME: Final = 0
IN_OTHER_NAME: Final = 2
IN_DESCRIPTION: Final = 25
IN_GLOSS: Final = 30
IN_ANCESTOR: Final = 30
MOST_EDGES: Final = 9

Key = TypeVar("Key", bound=Hashable)


class SearchIndex:
    """All texts about the classes of a taxonomy, indexed by word."""

    def __init__(
        self, taxonomy: Taxonomy, everyday: EverydayNames, descriptions: Descriptions
    ) -> None:
        self.taxonomy = taxonomy
        self._descriptions = descriptions
        branches = searchable_branches(taxonomy)
        self.wnids = (*taxonomy.class_wnids, *branches)
        self.branch_entries = {
            wnid: entry for entry, wnid in enumerate(branches, start=len(taxonomy.class_wnids))
        }
        texts = list(name_texts(taxonomy, branches, everyday))
        glosses = [folded_words(taxonomy[wnid].gloss) for wnid in taxonomy.class_wnids]
        described = [folded_words(descriptions.get(wnid, "")) for wnid in taxonomy.class_wnids]
        nodes = {wnid: _lemma_words(node.lemmas) for wnid, node in taxonomy.nodes.items()}
        self.vocabulary = Vocabulary(
            name_words=set().union(*(name.words for name in texts)),
            other_words=set().union(*glosses, *described, *nodes.values()),
        )
        self._number(glosses, described, nodes)
        self.names = [index_name(text, self.vocabulary.numbers) for text in texts]
        self.joined_names = JoinedNames(self.names, self.vocabulary)
        self.names_with = _keys_by_word(enumerate(name.words for name in self.names))
        self.names_of: dict[int, list[IndexedName]] = {}
        for name in self.names:
            self.names_of.setdefault(name.entry, []).append(name)
        self._documents: dict[int, Mapping[int, int]] = {}
        self._classes_with: dict[int, frozenset[int]] = {}

    def is_branch(self, entry: int) -> bool:
        return entry >= len(self.taxonomy.class_wnids)

    def shown_name(self, entry: int) -> str:
        """Return the name under which a class or branch is listed."""
        wnid = self.wnids[entry]
        if self.is_branch(entry):
            return branch_name(self.taxonomy, wnid)
        return self.taxonomy.display_names[wnid]

    def description(self, class_index: int) -> str:
        """Return what people say about a class, if anything is known."""
        return self._descriptions.get(self.taxonomy.class_wnids[class_index], "")

    def _number(
        self,
        glosses: list[tuple[str, ...]],
        described: list[tuple[str, ...]],
        nodes: Mapping[str, set[str]],
    ) -> None:
        numbers = self.vocabulary.numbers
        self.gloss_words = [[numbers[word] for word in gloss] for gloss in glosses]
        self.description_words = [[numbers[word] for word in words] for words in described]
        self.node_words = {wnid: [numbers[w] for w in words] for wnid, words in nodes.items()}
        self._glosses_with = _keys_by_word(enumerate(self.gloss_words))
        self._described_with = _keys_by_word(enumerate(self.description_words))
        self._nodes_with = _keys_by_word(self.node_words.items())

    def classes_with(self, word: int) -> frozenset[int]:
        """Return the classes with the word in a name, the gloss or an ancestor's name."""
        known = self._classes_with.get(word)
        if known is None:
            known = self._classes_with[word] = frozenset(self._find_classes_with(word))
        return known

    def classes_described_with(self, word: int) -> frozenset[int]:
        """Return the classes with the word in any text, their description too."""
        described = self._described_with.get(word)
        classes = self.classes_with(word)
        return classes.union(described) if described else classes

    def _find_classes_with(self, word: int) -> set[int]:
        entries = (self.names[number].entry for number in self.names_with.get(word, ()))
        classes = {entry for entry in entries if not self.is_branch(entry)}
        classes.update(self._glosses_with.get(word, ()))
        for wnid in self._nodes_with.get(word, ()):
            classes.update(map(self.taxonomy.index_of, self.taxonomy.classes_under(wnid)))
        return classes

    def document(self, class_index: int) -> Mapping[int, int]:
        """Return every word of a class's texts with its distance from the display name."""
        known = self._documents.get(class_index)
        if known is None:
            known = self._documents[class_index] = self._read(class_index)
        return known

    def full_document(self, class_index: int) -> Mapping[int, int]:
        """Return every word of a class's texts and of its description with its distance."""
        words = self.description_words[class_index]
        plain = self.document(class_index)
        if not words:
            return plain
        nearer = [word for word in words if plain.get(word, IN_DESCRIPTION) >= IN_DESCRIPTION]
        return {**plain, **dict.fromkeys(nearer, IN_DESCRIPTION)}

    def _read(self, class_index: int) -> dict[int, int]:
        heights = self.taxonomy.heights(self.taxonomy.class_wnids[class_index])
        distances: dict[int, int] = {}
        for wnid in sorted(heights, key=heights.__getitem__, reverse=True):
            distance = IN_ANCESTOR + min(heights[wnid], MOST_EDGES)
            distances.update(dict.fromkeys(self.node_words[wnid], distance))
        distances.update(dict.fromkeys(self.gloss_words[class_index], IN_GLOSS))
        for name in reversed(self.names_of.get(class_index, ())):
            distances.update(dict.fromkeys(name.words, IN_OTHER_NAME if name.field else IN_NAME))
        return distances


def _lemma_words(lemmas: Iterable[str]) -> set[str]:
    return {word for lemma in lemmas for word in folded_words(lemma)}


def _keys_by_word(texts: Iterable[tuple[Key, Iterable[int]]]) -> dict[int, list[Key]]:
    """Return, for each word, the keys of the texts that contain it."""
    keys_by_word: defaultdict[int, list[Key]] = defaultdict(list)
    for key, words in texts:
        for word in words:
            keys_by_word[word].append(key)
    return dict(keys_by_word)
