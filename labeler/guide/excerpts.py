"""A piece of a page around the words that were looked for, and where they stand in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeler.core.classes.search.hits import Span
from labeler.core.classes.search.text_folding import Word, folded_words, letters_end, stem, words

EXCERPT_LENGTH = 160
_LEAD = 40
_MORE = "…"


@dataclass(frozen=True, slots=True)
class WantedWords:
    """The words looked for, folded, each once; `meant` are those of which typos were typed."""

    words: tuple[str, ...] = ()
    meant: frozenset[str] = frozenset()

    @classmethod
    def of(cls, typed: str) -> "WantedWords":
        return cls(tuple(dict.fromkeys(folded_words(typed))))

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where the words stand in a text, each as far as it was typed."""
        found = ((word, self._letters(word.folded)) for word in words(text))
        return tuple(_span(text, word, letters) for word, letters in found if letters)

    def _letters(self, folded: str) -> int:
        """How many letters of a word to highlight."""
        if folded in self.meant:
            return len(folded)
        return max((fitting(wanted, folded) for wanted in self.words), default=0)


def fitting(wanted: str, word: str) -> int:
    """How many letters of a word were typed: its beginning, or all of it in another number."""
    if word.startswith(wanted):
        return len(wanted)
    # Words that share a stem share their first letter, and stems cost time.
    return len(word) if word[0] == wanted[0] and stem(word) == stem(wanted) else 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of text and the stretches to highlight in it."""

    text: str
    spans: tuple[Span, ...]


def cut_excerpt(line: str, wanted: WantedWords) -> Excerpt:
    """The piece of the line around its first wanted word, cut between words."""
    spans = wanted.spans(line)
    start = _start(line, spans)
    end = _end(line, start)
    before = _MORE if start else ""
    text = before + line[start:end].rstrip() + (_MORE if end < len(line) else "")
    return Excerpt(text, wanted.spans(text))


def _span(text: str, word: Word, letters: int) -> Span:
    return Span(word.origins[0], letters_end(text, word, letters))


def _start(line: str, spans: Sequence[Span]) -> int:
    first = spans[0].start if spans else 0
    if first <= _LEAD or len(line) <= EXCERPT_LENGTH:
        return 0
    return line.find(" ", first - _LEAD, first) + 1 or first


def _end(line: str, start: int) -> int:
    if len(line) - start <= EXCERPT_LENGTH:
        return len(line)
    return max(line.rfind(" ", start, start + EXCERPT_LENGTH), start + EXCERPT_LENGTH // 2)
