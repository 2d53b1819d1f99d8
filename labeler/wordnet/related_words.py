"""Find the words of WordNet that are not in a taxonomy but mean something that belongs to it.

A kayak is a canoe, which is a class; a seagull is a seabird, which is a branch. The search uses
these words to suggest the class or the branch.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from labeler.core.classes.taxonomy import Taxonomy
from labeler.wordnet.database import noun_at, open_wordnet

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

_MAX_WORDS = 3
_MAX_MEANINGS = 2
# A branch with more of the classes than this says nothing about a word.
_MAX_SHARE = 0.14
# Branches that hold so much of WordNet that a word below them says nothing about a picture.
_VAGUE = frozenset(
    {
        "n00002137",  # abstraction
        "n00007347",  # causal agent
        "n00019128",  # natural object
        "n00019613",  # substance
        "n00020090",  # substance
        "n00020827",  # matter
        "n00024264",  # attribute
        "n00027167",  # location
        "n00027807",  # shape
        "n00031921",  # relation
        "n00033020",  # communication
        "n02735688",  # area
        "n03129123",  # creation
        "n03892891",  # part
        "n06791372",  # signal
        "n07555863",  # food
        "n07570720",  # nutriment
        "n08620061",  # point
        "n13809207",  # part
        "n14580897",  # material
        "n14778436",  # agent
        "n15046900",  # solid
    }
)
_PERSON = "n00007846"
_MIN_LETTERS = 3


class _Sense(NamedTuple):
    """A meaning of a word; a common one occurs in WordNet's tagged texts."""

    offset: int
    is_common: bool
    is_one_word: bool


def find_related_words(wordnet: Path, taxonomy: Taxonomy) -> Mapping[str, tuple[str, ...]]:
    """Return, for each related word, the nearest nodes of the taxonomy, commonest meaning first."""
    with open_wordnet(wordnet) as reader:
        nearest = _NearestNodes(reader, taxonomy)
        found: dict[str, tuple[str, ...]] = {}
        for word, senses in _index_of_nouns(wordnet / "index.noun"):
            nodes = list(dict.fromkeys(n for sense in senses for n in nearest.of_sense(sense)))
            if nodes:
                found[word] = tuple(nodes[:_MAX_MEANINGS])
    return found


def write_related_words(words: Mapping[str, Iterable[str]]) -> bytes:
    """Return the content of the file: a word and its nodes per line, in alphabetical order."""
    lines = (f"{word}\t{' '.join(nodes)}\n" for word, nodes in sorted(words.items()))
    return "".join(lines).encode()


class _NearestNodes:
    """Finds the nodes of a taxonomy that are nearest above a synset."""

    def __init__(self, reader: "WordNetCorpusReader", taxonomy: Taxonomy) -> None:
        self._reader, self._taxonomy = reader, taxonomy
        self._above = cache(self._find_above)
        most = _MAX_SHARE * len(taxonomy.class_wnids)
        narrow = (w for w in taxonomy.nodes if len(taxonomy.classes_under(w)) <= most)
        self._specific = {*taxonomy.class_wnids, *narrow} - _VAGUE

    def of_sense(self, sense: _Sense) -> list[str]:
        """Return the nodes above the meaning, the smallest first; none for a node's own name.

        Rare words for people, and rare terms of several words, are left out of branches.
        """
        synset = noun_at(self._reader, sense.offset)
        if synset is None or f"n{sense.offset:08d}" in self._taxonomy:
            return []
        nodes = set(self._above(synset) & self._specific)
        if not sense.is_common:
            nodes = {n for n in nodes if self._taxonomy.is_class(n) or sense.is_one_word}
            nodes.discard(_PERSON)
        return sorted(nodes, key=lambda wnid: (len(self._taxonomy.classes_under(wnid)), wnid))

    def _find_above(self, synset: "Synset") -> frozenset[str]:
        wnid = f"n{synset.offset():08d}"
        if wnid in self._taxonomy:
            return frozenset({wnid})
        return frozenset().union(*map(self._above, synset.hypernyms()))


def _index_of_nouns(file: Path) -> Iterator[tuple[str, list[_Sense]]]:
    """Yield each noun with its meanings, commonest first, as WordNet's index lists them."""
    with file.open(encoding="ascii") as lines:
        for line in lines:
            word, *fields = line.split()
            if line.startswith(" ") or not _is_searchable(word):
                continue
            senses, pointers = int(fields[1]), int(fields[2])
            common = int(fields[4 + pointers])
            offsets = map(int, fields[5 + pointers : 5 + pointers + senses])
            one_word = "_" not in word
            yield (
                word.replace("_", " "),
                [
                    _Sense(offset, number < common, one_word)
                    for number, offset in enumerate(offsets)
                ],
            )


def _is_searchable(word: str) -> bool:
    return word[0].isalpha() and len(word) >= _MIN_LETTERS and word.count("_") < _MAX_WORDS
