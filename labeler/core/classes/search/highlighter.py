"""Find where a class matched: the text to show and the spans to highlight in it."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple

from labeler.core.classes.search.class_names import IndexedName
from labeler.core.classes.search.hits import (
    MatchedField,
    MatchKind,
    SearchCandidate,
    SearchHit,
    TextSpan,
)
from labeler.core.classes.search.index import SearchIndex
from labeler.core.classes.search.query import SearchQuery
from labeler.core.classes.search.text_folding import FoldedWord, letters_end, words_with_origins
from labeler.core.classes.search.vocabulary import (
    FORM,
    INSIDE,
    PREFIX,
    WITHIN,
    Fits,
    Lookup,
    is_mistyped_beginning,
)
from labeler.core.classes.search.word_matching import WordMatch, longest_first, match_words


class TypedWords(NamedTuple):
    """The typed words, the order in which they are matched, and the words they fit."""

    words: Sequence[str]
    order: Sequence[int]
    fits: Sequence[Fits]


class Highlighter:
    """Converts ranked candidates to hits that can be displayed."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._numbers = index.vocabulary.numbers
        self._taxonomy = index.taxonomy

    def highlighting(self, query: SearchQuery) -> Callable[[SearchCandidate], SearchHit]:
        """Return the function that converts a candidate of this query to a hit."""
        vocabulary = self._index.vocabulary
        typed = cache(partial(self._typed, vocabulary.fits))
        described = cache(partial(self._typed, vocabulary.forms))

        def hit(candidate: SearchCandidate) -> SearchHit:
            mistyped = candidate.rank.match is MatchKind.TYPO
            if candidate.related is not None:
                return self._related_hit(candidate, candidate.related, len(query.joined))
            if candidate.name is None:
                return self._described_hit(candidate, described(query.significant, mistyped))
            return self._named_hit(candidate, candidate.name, typed(query.words, mistyped))

        return hit

    def _named_hit(
        self, candidate: SearchCandidate, name: IndexedName, typed: TypedWords
    ) -> SearchHit:
        spans = self._mark_name(name, typed)
        shown = self._index.shown_name(name.entry)
        field = MatchedField.NAME if name.text == shown else MatchedField.OTHER_NAME
        name_spans = spans if name.text == shown else self._mark(shown, typed)
        return self._hit(candidate, field, name.text, spans, name_spans)

    def _related_hit(self, candidate: SearchCandidate, related: str, letters: int) -> SearchHit:
        spans = _first_letters(related, letters)
        return self._hit(candidate, MatchedField.RELATED, related, spans, ())

    def _hit(
        self,
        candidate: SearchCandidate,
        field: MatchedField,
        text: str,
        spans: tuple[TextSpan, ...],
        name_spans: tuple[TextSpan, ...],
    ) -> SearchHit:
        entry = candidate.rank.entry
        return SearchHit(
            self._index.wnids[entry],
            candidate.rank.match,
            field,
            text,
            spans,
            name_spans,
            self._index.is_branch(entry),
        )

    def _described_hit(self, candidate: SearchCandidate, typed: TypedWords) -> SearchHit:
        field, text = self._matching_text(candidate, typed)
        name_spans = self._mark(self._index.shown_name(candidate.rank.entry), typed)
        return self._hit(candidate, field, text, self._mark(text, typed), name_spans)

    def _typed(self, usual: Lookup, typed: tuple[str, ...], mistyped: bool) -> TypedWords:
        lookup = self._index.vocabulary.near if mistyped else usual
        return TypedWords(typed, longest_first(typed), [lookup(word) for word in typed])

    def _matching_text(
        self, candidate: SearchCandidate, typed: TypedWords
    ) -> tuple[MatchedField, str]:
        """Return the text with most of the typed words, when no single name has them all."""
        class_index = candidate.rank.entry
        if candidate.rank.kind is MatchKind.WORDS_IN_NAME:
            return self._matching_name(class_index, typed)
        gloss = self._taxonomy[self._taxonomy.class_wnids[class_index]].gloss
        in_gloss = self._count(self._index.gloss_words[class_index], typed)
        if in_gloss == len(typed.words):
            return MatchedField.GLOSS, gloss
        lemma, in_lemma = self._matching_lemma(class_index, typed)
        in_description = self._count(self._index.description_words[class_index], typed)
        texts = (
            (in_gloss, MatchedField.GLOSS, gloss),
            (in_lemma, MatchedField.ANCESTOR, lemma),
            (in_description, MatchedField.DESCRIPTION, self._index.description(class_index)),
        )
        _, field, text = max(texts, key=itemgetter(0))
        return field, text

    def _count(self, words: Sequence[int], typed: TypedWords) -> int:
        """Return how many of the typed words are among these."""
        return len(match_words(typed.order, typed.fits, words))

    def _matching_name(self, class_index: int, typed: TypedWords) -> tuple[MatchedField, str]:
        names = self._index.names_of[class_index]
        best = max(names, key=lambda name: len(match_words(typed.order, typed.fits, name.words)))
        return MatchedField.OTHER_NAME if best.field else MatchedField.NAME, best.text

    def _matching_lemma(self, class_index: int, typed: TypedWords) -> tuple[str, int]:
        """Return the ancestor's name with most of the typed words; the nearest of equals."""
        heights = self._taxonomy.heights(self._taxonomy.class_wnids[class_index])
        naming = [wnid for wnid, height in heights.items() if height and self._names(wnid, typed)]
        naming.sort(key=lambda wnid: (heights[wnid], wnid))
        counts = {
            lemma: len(self._place(words_with_origins(lemma), typed))
            for wnid in naming
            for lemma in self._taxonomy[wnid].lemmas
        }
        return max(counts.items(), key=lambda entry: entry[1], default=("", 0))

    def _names(self, wnid: str, typed: TypedWords) -> bool:
        """Return whether one of the node's names contains a typed word."""
        return any(word in fits for word in self._index.node_words[wnid] for fits in typed.fits)

    def _place(self, text_words: Sequence[FoldedWord], typed: TypedWords) -> list[WordMatch]:
        numbers = [self._numbers[word.folded] for word in text_words]
        return match_words(typed.order, typed.fits, numbers)

    def _mark(self, text: str, typed: TypedWords) -> tuple[TextSpan, ...]:
        text_words = words_with_origins(text)
        return _spans(text, text_words, typed, self._place(text_words, typed))

    def _mark_name(self, name: IndexedName, typed: TypedWords) -> tuple[TextSpan, ...]:
        placed = match_words(typed.order, typed.fits, name.words)
        if len(placed) == len(typed.words):
            return _spans(name.text, words_with_origins(name.text), typed, placed)
        return _first_letters(name.text, sum(map(len, typed.words)))


def _spans(
    text: str, text_words: Sequence[FoldedWord], typed: TypedWords, placed: Sequence[WordMatch]
) -> tuple[TextSpan, ...]:
    spans = [_span(text, text_words[p.place], typed.words[p.typed], p.fit) for p in placed]
    if len(spans) > 1:
        spans.sort(key=lambda span: span.start)
    return tuple(spans)


def _span(text: str, word: FoldedWord, typed: str, fit: int) -> TextSpan:
    """Return the typed part of a word, or the whole word where it was typed in another form."""
    first, last = 0, len(word.folded)
    if fit in (INSIDE, WITHIN):
        first = word.folded.index(typed)
        last = first + len(typed)
    elif fit == PREFIX or is_mistyped_beginning(fit):
        last = min(len(typed), last)
    elif fit == FORM:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(typed, word.folded, strict=False))
        last = sum(1 for _ in same)
    return TextSpan(word.origins[first], letters_end(text, word, last))


def _first_letters(text: str, count: int) -> tuple[TextSpan, ...]:
    """Return the spans of the first `count` letters of a text, word by word."""
    spans = []
    for word in words_with_origins(text):
        taken = min(count, len(word.folded))
        if taken:
            spans.append(TextSpan(word.origins[0], letters_end(text, word, taken)))
        count -= taken
    return tuple(spans)
