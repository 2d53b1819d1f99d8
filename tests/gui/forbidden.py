"""What a labeler mustn't find anywhere, and how it is looked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from tests.gui.searching import FoundText
from tests.gui.small_study import TELL_TALES, SmallStudy

_TELLING_LETTERS = 5
_TELLING_DIGITS = 12
_ELLIPSIS = "…"


@dataclass(frozen=True)
class Forbidden:
    """Words that tell; each is looked for in any case, however its slashes are written."""

    words: frozenset[str]

    def found_in(self, texts: Iterable[FoundText]) -> list[FoundText]:
        every = list(texts)
        telling = {text for text in {each.text for each in every} if self.in_text(text)}
        return [each for each in every if each.text in telling]

    def in_text(self, text: str) -> list[str]:
        """The words that stand in the text, or that an elided text lets one guess."""
        plain = _plain(text)
        whole = [word for word in self.words if word in plain]
        return sorted(whole or (self._guessed(plain) if _ELLIPSIS in plain else ()))

    def _guessed(self, elided: str) -> Iterable[str]:
        # A path's beginning tells nothing: much else is there too.
        return (word for word in self.words if "/" not in word and _is_guessed(word, elided))


def forbidden_words(words: Sequence[str]) -> Forbidden:
    return Forbidden(frozenset(_plain(word) for word in words if word))


def forbidden_in(study: SmallStudy, *, besides: Sequence[str] = ()) -> Forbidden:
    """The names, places and contents of the study's datasets and images, and its other people."""
    datasets = study.read("SELECT name, root FROM dataset")
    images = study.read("SELECT name, path, hex(content_hash) FROM image")
    people = [code for (code,) in study.read("SELECT code FROM participant") if len(code) > 1]
    files = [name for name, *_ in images]
    return forbidden_words(
        [
            *TELL_TALES,
            *(text for row in datasets for text in row),
            *files,
            *(path for _name, path, _hash in images if path),
            *(PurePosixPath(file).stem for file in files),
            *(digits[:_TELLING_DIGITS] for *_, digits in images),
            *people,
            *besides,
        ]
    )


def _is_guessed(word: str, elided: str) -> bool:
    lengths = range(_TELLING_LETTERS, len(word))
    return any(
        f"{word[:length]}{_ELLIPSIS}" in elided or f"{_ELLIPSIS}{word[-length:]}" in elided
        for length in lengths
    )


def _plain(text: str) -> str:
    """In small letters, with plain slashes, without what an address hides letters behind."""
    return unquote(unquote(text)).replace("\\\\", "/").replace("\\", "/").casefold()
