"""Fold text to words that compare equal regardless of accents, case, hyphens and plurals."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = str.maketrans("’ʼ", "''")

_IRREGULAR_PLURALS = {
    "axe": "ax",
    "axes": "ax",
    "cacti": "cactus",
    "calves": "calf",
    "children": "child",
    "dice": "die",
    "feet": "foot",
    "fungi": "fungus",
    "geese": "goose",
    "halves": "half",
    "hooves": "hoof",
    "knives": "knife",
    "larvae": "larva",
    "leaves": "leaf",
    "lice": "louse",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "oxen": "ox",
    "scarves": "scarf",
    "shelves": "shelf",
    "teeth": "tooth",
    "thieves": "thief",
    "wives": "wife",
    "wolves": "wolf",
}
_LAST_LETTERS_THAT_FOLD = frozenset("sen")


class FoldedWord(NamedTuple):
    """A word of a text: its folded letters, and the position in the text of each letter."""

    folded: str
    origins: Sequence[int]


# Enough for the names and glosses of all classes; each key press highlights dozens of them.
@lru_cache(maxsize=8192)
def words_with_origins(text: str) -> tuple[FoldedWord, ...]:
    """Return the folded words of a text; hyphens separate words, apostrophes are dropped."""
    folded, origins = _fold(text)
    return tuple(
        _word(match.group(), origins[match.start() : match.end()])
        for match in _WORD.finditer(folded)
    )


def folded_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text without positions."""
    folded, _ = _fold(text)
    found = _WORD.findall(folded)
    return tuple(word.replace("'", "") for word in found) if "'" in folded else tuple(found)


def letters_end(text: str, word: FoldedWord, letters: int) -> int:
    """Return where the first `letters` letters of the word end, including combining marks."""
    end = word.origins[letters - 1] + 1
    while end < len(text) and combining(text[end]):
        end += 1
    return end


def stem(word: str) -> str:
    """Return the stem that a word shares with its plural; only to compare with other stems."""
    word = _IRREGULAR_PLURALS.get(word, word)
    if word[-1:] not in _LAST_LETTERS_THAT_FOLD:
        return word
    word = _without_s(word)
    if word.endswith("men"):
        return word[:-2] + "an"
    if len(word) > 3 and word[-1] == "e":
        return _without_e(word)
    return word


# What is left of a word without each ending has so many letters at least: a tower doesn't tow.
_ENDINGS = {"ing": 3, "ed": 3, "er": 4, "y": 4}
_SHORTEST_ROOT = 3
_DOUBLED = frozenset("bdgklmnprt")
_SPELLINGS = (("our", "or"), ("grey", "gray"), ("tyre", "tire"))


def root(word: str) -> str:
    """Return what the forms of a word share: stripes and striped, open, opens and opener.

    British and American spellings share it too. It is only for comparing words of descriptions.
    """
    found = stem(word)
    for british, american in _SPELLINGS:
        if len(found) > _SHORTEST_ROOT:
            found = found.replace(british, american)
    for ending, shortest in _ENDINGS.items():
        if found.endswith(ending) and len(found) >= len(ending) + shortest:
            found = found.removesuffix(ending)
            break
    if found[-1:] == "e" and len(found) > _SHORTEST_ROOT:
        found = found[:-1]
    if found[-1:] == found[-2:-1] and found[-1:] in _DOUBLED and len(found) > _SHORTEST_ROOT:
        found = found[:-1]
    return found


def _without_s(word: str) -> str:
    return word[:-1] if word[-1:] == "s" and len(word) > 3 and word[-2] != "s" else word


def _without_e(word: str) -> str:
    """Remove the "e" of a plural: foxes, berries; "house" loses its "e" too."""
    if word.endswith("ie"):
        return word[:-2] + "y"
    if word.endswith(("se", "xe", "ze", "oe", "che", "she")):
        return _without_s(word[:-1])
    return word


def _word(letters: str, origins: Sequence[int]) -> FoldedWord:
    if "'" not in letters:
        return FoldedWord(letters, origins)
    kept = [position for position, letter in enumerate(letters) if letter != "'"]
    return FoldedWord(letters.replace("'", ""), [origins[position] for position in kept])


def _fold(text: str) -> tuple[str, Sequence[int]]:
    """Return the text without case and accents, and the original position of each letter."""
    if text.isascii():
        return text.lower(), range(len(text))
    letters: list[str] = []
    origins: list[int] = []
    for position, character in enumerate(text.translate(_APOSTROPHES)):
        plain = normalize("NFKD", normalize("NFKD", character).casefold())
        kept = [letter for letter in plain if not combining(letter)]
        letters += kept
        origins += [position] * len(kept)
    return "".join(letters), origins
