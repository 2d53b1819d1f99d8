"""Full-text search of the guide's pages: words, prefixes, and typos."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import IntEnum

from labeler.core.classes.search.hits import TextSpan
from labeler.core.classes.search.text_folding import (
    FoldedWord,
    folded_words,
    letters_end,
    stem,
    words_with_origins,
)
from labeler.core.classes.search.vocabulary import BEYOND_ANY_LETTER, TYPO, Vocabulary
from labeler.guide.markdown import plain_lines
from labeler.guide.page import GuidePage
from labeler.guide.pages import Guide

EXCERPT_LENGTH = 160
_CONTEXT_LENGTH = 40
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class SearchWords:
    """The folded words to find; `meant` are the words that typos probably meant."""

    words: tuple[str, ...] = ()
    meant: frozenset[str] = frozenset()

    @classmethod
    def of(cls, typed: str) -> "SearchWords":
        return cls(tuple(dict.fromkeys(folded_words(typed))))

    def spans(self, text: str) -> tuple[TextSpan, ...]:
        """Return where the words occur in a text, as far as they were typed."""
        found = ((word, self._letters(word.folded)) for word in words_with_origins(text))
        return tuple(_span(text, word, letters) for word, letters in found if letters)

    def _letters(self, folded: str) -> int:
        """Return how many letters of a word to highlight."""
        if folded in self.meant:
            return len(folded)
        return max((matched_length(typed, folded) for typed in self.words), default=0)


def matched_length(typed: str, word: str) -> int:
    """Return how many letters of a word were typed: a prefix, or all in another number."""
    if word.startswith(typed):
        return len(typed)
    # Words with the same stem share their first letter; computing stems is slow.
    return len(word) if word[0] == typed[0] and stem(word) == stem(typed) else 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of text and the spans to highlight."""

    text: str
    spans: tuple[TextSpan, ...]


def cut_excerpt(line: str, words: SearchWords) -> Excerpt:
    """Return the part of the line around its first matching word, cut between words."""
    spans = words.spans(line)
    start = _start(line, spans)
    end = _end(line, start)
    before = _ELLIPSIS if start else ""
    text = before + line[start:end].rstrip() + (_ELLIPSIS if end < len(line) else "")
    return Excerpt(text, words.spans(text))


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


class GuideField(IntEnum):
    """Where a word occurs on a page; a smaller value ranks first."""

    TITLE = 0
    CLASS_NAME = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class GuideHit:
    """A page with all typed words, an excerpt and the spans to highlight."""

    slug: str
    title: str
    title_spans: tuple[TextSpan, ...]
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class _WordMatch:
    """How well a page matches a word: where, whether as a whole, and how often."""

    field: GuideField
    in_part: bool
    times: int

    @property
    def rank(self) -> tuple[int, bool, int]:
        return self.field, self.in_part, -self.times


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines for excerpts: a page's text, then the names of each class it covers."""

    shown: tuple[str, ...]
    folded: tuple[tuple[str, ...], ...]


class GuideSearch:
    """An index of all pages, built once per guide."""

    def __init__(self, guide: Guide, *, names: Mapping[str, Sequence[str]]) -> None:
        """Index the pages; `names` are the names of each class."""
        self._pages = guide.pages
        self._lines: list[_Lines] = []
        self._places: dict[str, dict[tuple[int, GuideField], int]] = defaultdict(dict)
        for number, page in enumerate(guide.pages):
            self._index_page(number, page, [", ".join(names.get(w, ())) for w in page.wnids])
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        for word in self._places:
            self._by_stem[stem(word)].append(word)
        self._vocabulary = Vocabulary(name_words=self._words_of_names(), other_words=self._places)

    def search(self, typed: str, *, limit: int = 30) -> tuple[GuideHit, ...]:
        """Return the pages with every word or a word that begins with it, best first."""
        words = self.parse(typed)
        if not words.words:
            return ()
        fits = [frozenset(self._fitting(word)) for word in words.words]
        matches = [self._best_matches(*pair) for pair in zip(words.words, fits, strict=True)]
        common = set.intersection(*(set(found) for found in matches))
        ranked = sorted(common, key=lambda page: _rank(page, matches))
        return tuple(self._hit(page, words, fits) for page in ranked[:limit])

    def parse(self, typed: str) -> SearchWords:
        """Return the typed words, and what was probably meant by unknown ones."""
        words = SearchWords.of(typed)
        mistyped = (word for word in words.words if not any(self._as_typed(word)))
        return replace(words, meant=frozenset(m for word in mistyped for m in self._near(word)))

    def _index_page(self, number: int, page: GuidePage, names: Sequence[str]) -> None:
        text = plain_lines(page.body)
        shown = (*text, *names)
        folded = tuple(map(folded_words, shown))
        self._lines.append(_Lines(shown, folded))
        self._index_words(number, GuideField.TITLE, folded_words(page.title))
        for number_of_line, words in enumerate(folded):
            self._index_words(
                number,
                GuideField.TEXT if number_of_line < len(text) else GuideField.CLASS_NAME,
                words,
            )

    def _index_words(self, number: int, field: GuideField, words: Iterable[str]) -> None:
        for word in words:
            places = self._places[word]
            places[number, field] = places.get((number, field), 0) + 1

    def _best_matches(self, typed: str, fitting: Set[str]) -> dict[int, _WordMatch]:
        """Return each page with the word and its best match."""
        best: dict[int, _WordMatch] = {}
        for word in fitting:
            for (page, field), times in self._places[word].items():
                match = _WordMatch(field, word != typed, times)
                if page not in best or match.rank < best[page].rank:
                    best[page] = match
        return best

    def _fitting(self, typed: str) -> Iterator[str]:
        """Yield the words that fit as typed, otherwise those a few typos away."""
        as_typed = tuple(self._as_typed(typed))
        yield from as_typed or self._near(typed)

    def _as_typed(self, typed: str) -> Iterator[str]:
        """Yield the words that begin with the typed text, and its singular or plural."""
        words = self._vocabulary.words
        start = bisect_left(words, typed)
        end = bisect_left(words, typed + BEYOND_ANY_LETTER)
        yield from words[start:end]
        yield from self._by_stem.get(stem(typed), ())

    def _near(self, typed: str) -> Iterator[str]:
        """Yield the words with the fewest typos."""
        near = self._vocabulary.near(typed)
        fewest = min(near.values(), default=0) // TYPO
        yield from (self._vocabulary.words[n] for n, fit in near.items() if fit // TYPO == fewest)

    def _words_of_names(self) -> Iterator[str]:
        """Yield the words of titles and class names, whose first letter may be mistyped, too."""
        for word, places in self._places.items():
            if any(field is not GuideField.TEXT for _page, field in places):
                yield word

    def _hit(self, number: int, words: SearchWords, fits: Sequence[Set[str]]) -> GuideHit:
        page, lines = self._pages[number], self._lines[number]
        line = max(range(len(lines.shown)), key=lambda at: _count(fits, lines.folded[at]))
        return GuideHit(
            slug=page.slug,
            title=page.title,
            title_spans=words.spans(page.title),
            excerpt=cut_excerpt(lines.shown[line], words),
        )


def _count(fits: Sequence[Set[str]], words: Iterable[str]) -> int:
    """Return how many typed words a line contains, given all words that fit each."""
    return sum(not fitting.isdisjoint(words) for fitting in fits)


def _rank(page: int, matches: Sequence[Mapping[int, _WordMatch]]) -> tuple[int, int, int, int]:
    """Sort key: fields first, then whole words, then the number of occurrences."""
    own = [match[page] for match in matches]
    return (
        sum(match.field for match in own),
        sum(match.in_part for match in own),
        -sum(match.times for match in own),
        page,
    )
