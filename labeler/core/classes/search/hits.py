"""The results of a class search: a class, how and where it matched, and what to highlight."""

from enum import Enum, IntEnum
from typing import NamedTuple

from labeler.core.classes.search.class_names import IndexedName


class MatchKind(IntEnum):
    """How a class matched the typed text; a smaller value ranks first."""

    IDENTIFIER = 0
    EXACT_NAME = 1
    RELATED_WORD = 2
    NAME_PREFIX = 3
    WORD_PREFIXES = 4
    WORDS_IN_NAME = 5
    GLOSS_OR_ANCESTOR = 6
    IN_BRANCH = 7
    IN_RELATED_BRANCH = 8
    RELATED_PREFIX = 9
    TYPO = 10
    SOME_WORDS = 11


class MatchedField(Enum):
    """Which of a class's texts matched."""

    NAME = "name"
    OTHER_NAME = "other name"
    DESCRIPTION = "description"
    GLOSS = "gloss"
    ANCESTOR = "ancestor"
    IDENTIFIER = "identifier"
    RELATED = "related word"


class TextSpan(NamedTuple):
    """A span of the displayed text; the end is exclusive."""

    start: int
    end: int


class SearchHit(NamedTuple):
    """A class or branch that matched, the text that matched, and the spans to highlight."""

    wnid: str
    match: MatchKind
    field: MatchedField
    text: str
    spans: tuple[TextSpan, ...]
    name_spans: tuple[TextSpan, ...]
    is_branch: bool = False


class SearchRank(NamedTuple):
    """Sort key of a match, compared field by field; smaller is better.

    `tier` is the kind of match, with three exceptions. Words anywhere in a name rank like words at
    its start: “bear” should find a bear before a bearskin, or a panda that is also called “bear
    cat”. And a class whose name ends in the typed word ranks like a related word: a bell pepper is
    a pepper, but a tree frog is not a tree. Letters within a word, as rain in a train, come after
    descriptions.
    """

    tier: MatchKind
    typos: float
    looseness: float
    field: int
    kind: MatchKind
    uncovered: float
    length: int
    entry: int

    @property
    def match(self) -> MatchKind:
        """How the class matched."""
        return self.tier if self.tier >= MatchKind.TYPO else self.kind


class SearchCandidate(NamedTuple):
    """A class or branch with its rank, and the name or related word that matched, if any."""

    rank: SearchRank
    name: IndexedName | None
    related: str | None = None


def named_candidate(
    name: IndexedName,
    kind: MatchKind,
    *,
    looseness: int,
    typos: int = 0,
    letters: int | None = None,
    is_kind_of: bool = False,
    is_within: bool = False,
) -> SearchCandidate:
    """Return a candidate for a matching name; `letters` is how many were typed, None for all."""
    length = name.letters
    uncovered = 0.0 if letters is None or letters >= length else 1 - letters / length
    # A single letter is never a whole word, so only its position is significant.
    equal_tier = MatchKind.NAME_PREFIX <= kind <= MatchKind.WORDS_IN_NAME and letters != 1
    # Positional arguments: this runs hundreds of times per key press.
    rank = SearchRank(
        MatchKind.TYPO
        if typos
        else MatchKind.RELATED_WORD
        if is_kind_of
        else MatchKind.IN_BRANCH
        if is_within
        else MatchKind.WORDS_IN_NAME
        if equal_tier
        else kind,
        typos,
        looseness,
        name.field,
        kind,
        uncovered,
        length,
        name.entry,
    )
    return SearchCandidate(rank, name)
