"""What a class search gives back: a class, how and where it matched, and what to highlight."""

from enum import Enum, IntEnum
from typing import NamedTuple


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
