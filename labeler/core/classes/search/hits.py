"""What a class search gives back: a class, how and where it matched, and what to highlight."""

from enum import Enum, IntEnum
from typing import NamedTuple

from labeler.core.classes.search.class_names import IndexedName


class MatchKind(IntEnum):
    """How a class matched what was typed; a smaller value ranks first."""

    IDENTIFIER = 0
    EXACT_NAME = 1
    NAME_PREFIX = 2
    WORD_PREFIXES = 3
    WORDS_IN_NAME = 4
    GLOSS_OR_ANCESTOR = 5
    TYPO = 6
    SOME_WORDS = 7


class MatchedField(Enum):
    """Which of a class's texts matched."""

    NAME = "name"
    OTHER_NAME = "other name"
    GLOSS = "gloss"
    ANCESTOR = "ancestor"
    IDENTIFIER = "identifier"


class TextSpan(NamedTuple):
    """A stretch of a text as it is shown, its end not included."""

    start: int
    end: int


class SearchHit(NamedTuple):
    """A class that matched, the text in which it did, and the stretches to highlight."""

    wnid: str
    match: MatchKind
    field: MatchedField
    text: str
    spans: tuple[TextSpan, ...]
    name_spans: tuple[TextSpan, ...]


class SearchRank(NamedTuple):
    """What decides the order; compared from the top, less is better.

    `tier` is how the class matched, but that words anywhere in a name are as good as at its start:
    anyone who types “bear” means a bear sooner than a bearskin, or a panda that is also a “bear
    cat”.
    """

    tier: MatchKind
    typos: float
    looseness: float
    field: int
    kind: MatchKind
    uncovered: float
    length: int
    class_index: int

    @property
    def match(self) -> MatchKind:
        """How the class matched."""
        return self.tier if self.tier >= MatchKind.TYPO else self.kind


class SearchCandidate(NamedTuple):
    """A class with its rank, and the name that matched unless the words were all over."""

    rank: SearchRank
    name: IndexedName | None


def named_candidate(
    name: IndexedName,
    kind: MatchKind,
    *,
    looseness: int,
    typos: int = 0,
    letters: int | None = None,
) -> SearchCandidate:
    """A class that one of its names puts forward; all of the name was typed unless told."""
    length = name.letters
    uncovered = 0.0 if letters is None or letters >= length else 1 - letters / length
    # A letter is no one's whole word: of so little, where it is says most.
    together = MatchKind.NAME_PREFIX <= kind <= MatchKind.WORDS_IN_NAME and letters != 1
    # By position: this is done hundreds of times for each key.
    rank = SearchRank(
        MatchKind.TYPO if typos else MatchKind.WORDS_IN_NAME if together else kind,
        typos,
        looseness,
        0 if name.shown else 1,
        kind,
        uncovered,
        length,
        name.class_index,
    )
    return SearchCandidate(rank, name)
