"""The names of classes joined without spaces."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from labeler.core.classes.search.class_names import IndexedName
from labeler.core.classes.search.text_folding import stem
from labeler.core.classes.search.vocabulary import BEYOND_ANY_LETTER, Vocabulary


class JoinedNames:
    """The names joined without spaces, so that "hot dog" and "hotdog" match."""

    def __init__(self, names: Sequence[IndexedName], vocabulary: Vocabulary) -> None:
        words, stems = vocabulary.words, vocabulary.stems
        self._same: dict[str, list[int]] = {}
        self._plural: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            for length in {name.own_words, len(name.words)}:
                own = name.words[:length]
                self._same.setdefault("".join([words[word] for word in own]), []).append(number)
                self._plural.setdefault("".join([stems[word] for word in own]), []).append(number)
        self.joined = sorted(self._same)
        # It needs numpy, which the first image doesn't wait for.
        from labeler.core.classes.search.typo_filter import TypoFilter

        self._typos = TypoFilter(self.joined)

    def same(self, joined: str) -> Sequence[int]:
        """Return the names that equal this when joined."""
        return self._same.get(joined, ())

    def near(self, joined: str, *, allowed: int) -> Iterator[tuple[str, int]]:
        """Yield the joined names that are a few typos away, with their typos."""
        for number, typos in self._typos.near(joined, allowed=allowed):
            yield self.joined[number], typos

    def plural(self, typed: Sequence[str]) -> Sequence[int]:
        """Return the names that equal the typed words, ignoring plurals."""
        return self._plural.get("".join(map(stem, typed)), ())

    def beginning(self, joined: str) -> set[int]:
        """Return the names that begin with this when joined."""
        first = bisect_left(self.joined, joined)
        last = bisect_left(self.joined, joined + BEYOND_ANY_LETTER, lo=first)
        return {number for name in self.joined[first:last] for number in self._same[name]}
