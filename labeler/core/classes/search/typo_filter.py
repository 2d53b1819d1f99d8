"""Find the words that are a few typos away, without measuring the distance to every word."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

# Letters share these bits. Two letters with one bit only make the filter let more words through.
_BITS = 64
_NO_LETTER = _BITS
_BIT_OF = np.append(np.left_shift(np.uint64(1), np.arange(_BITS, dtype=np.uint64)), np.uint64(0))

Letters = npt.NDArray[np.uint64]


class TypoFilter:
    """The words of a list, sorted out by length and by the letters they have.

    A typo changes the length by one at most, and adds or removes one kind of letter at most. So
    most words are too far away by these alone, which is computed for all words in one step.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._lengths = np.fromiter(map(len, words), np.int32, len(words))
        self._codes = _letter_codes(words, self._lengths)
        self._masks: dict[tuple[int, int, int], Letters] = {}

    def near(
        self, typed: str, *, allowed: int, among: range | None = None, cut: int = 0
    ) -> list[tuple[int, int]]:
        """Return the words at most `allowed` typos away, by number, with their typos.

        With `among` only these words count. With `cut` only words longer than this do, by their
        first letters.
        """
        place = range(len(self._words)) if among is None else among
        lengths = self._lengths[place.start : place.stop]
        fitting = lengths > cut if cut else np.abs(lengths - len(typed)) <= allowed
        own = _mask(typed)
        masks = self._masks_of(place, cut)
        fitting &= np.bitwise_count(masks & ~own) <= allowed
        fitting &= np.bitwise_count(~masks & own) <= allowed
        numbers = (np.flatnonzero(fitting) + place.start).tolist()
        words = self._words
        choices = [words[n][:cut] for n in numbers] if cut else [words[n] for n in numbers]
        found = process.extract(
            typed, choices, scorer=OSA.distance, score_cutoff=allowed, limit=None, processor=None
        )
        return [(numbers[at], int(distance)) for _, distance, at in found]

    def _masks_of(self, place: range, cut: int) -> Letters:
        """Return the letters of these words, or of their first `cut` letters."""
        key = place.start, place.stop, cut
        known = self._masks.get(key)
        if known is None:
            codes = self._codes[place.start : place.stop]
            bits = _BIT_OF[codes[:, :cut] if cut else codes]
            known = self._masks[key] = np.bitwise_or.reduce(bits, axis=1)
        return known


def _letter_codes(words: Sequence[str], lengths: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8]:
    """Return a row per word with the bit number of each letter."""
    longest = int(lengths.max(initial=1)) or 1
    codes = np.full((len(words), longest), _NO_LETTER, np.uint8)
    inside = np.arange(longest) < lengths[:, None]
    letters = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32)
    codes[inside] = letters % _BITS
    return codes


def _mask(word: str) -> np.uint64:
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter) % _BITS
    return np.uint64(bits)
