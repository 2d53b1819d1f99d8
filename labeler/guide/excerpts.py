"""A piece of a page around the words that were looked for, and where they stand in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.classes.search.hits import TextSpan
from labeler.core.classes.search.text_folding import (
    FoldedWord,
    folded_words,
    letters_end,
    stem,
    words_with_origins,
)

EXCERPT_LENGTH = 160
_CONTEXT_LENGTH = 40
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class SearchWords:
    """The words looked for, folded, each once; `meant` are those of which typos were typed."""

    words: tuple[str, ...] = ()
    meant: frozenset[str] = frozenset()

    @classmethod
    def of(cls, typed: str) -> "SearchWords":
        return cls(tuple(dict.fromkeys(folded_words(typed))))

    def spans(self, text: str) -> tuple[TextSpan, ...]:
        """Where the words stand in a text, each as far as it was typed."""
        found = ((word, self._letters(word.folded)) for word in words_with_origins(text))
        return tuple(_span(text, word, letters) for word, letters in found if letters)

    def _letters(self, folded: str) -> int:
        """How many letters of a word to highlight."""
        if folded in self.meant:
            return len(folded)
        return max((matched_length(wanted, folded) for wanted in self.words), default=0)


def matched_length(wanted: str, word: str) -> int:
    """How many letters of a word were typed: its beginning, or all of it in another number."""
    if word.startswith(wanted):
        return len(wanted)
    # Words that share a stem share their first letter, and stems cost time.
    return len(word) if word[0] == wanted[0] and stem(word) == stem(wanted) else 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of text and the stretches to highlight in it."""

    text: str
    spans: tuple[TextSpan, ...]


def cut_excerpt(line: str, wanted: SearchWords) -> Excerpt:
    """The piece of the line around its first wanted word, cut between words."""
    spans = wanted.spans(line)
    start = _start(line, spans)
    end = _end(line, start)
    before = _ELLIPSIS if start else ""
    text = before + line[start:end].rstrip() + (_ELLIPSIS if end < len(line) else "")
    return Excerpt(text, wanted.spans(text))


def _span(text: str, word: FoldedWord, letters: int) -> TextSpan:
    return TextSpan(word.origins[0], letters_end(text, word, letters))


def _start(line: str, spans: Sequence[TextSpan]) -> int:
    first = spans[0].start if spans else 0
    if first <= _CONTEXT_LENGTH or len(line) <= EXCERPT_LENGTH:
        return 0
    return line.find(" ", first - _CONTEXT_LENGTH, first) + 1 or first


def _end(line: str, start: int) -> int:
    if len(line) - start <= EXCERPT_LENGTH:
        return len(line)
    return max(line.rfind(" ", start, start + EXCERPT_LENGTH), start + EXCERPT_LENGTH // 2)
