"""Read values from nested containers of foreign files, with errors that name the place."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from labeler.core.errors import InputError
from labeler.core.study.exchange_rows import quoted

DICTIONARY_EXPECTED = "a dictionary is expected"
STRING_EXPECTED = "a string is expected"
STRINGS_EXPECTED = "a list of strings is expected"
ITEM_NOT_A_STRING = "an item of this list isn't a string"
REPEATED_ITEM = "an item is in this list twice"


class NestedValue:
    """A value in a file, and the keys that lead to it."""

    def __init__(self, value: object, *, file: Path, way: tuple[str, ...] = ()) -> None:
        self._value = value
        self._file = file
        self._way = way

    def at(self, key: str) -> "NestedValue":
        """Return the value under the key, which must exist."""
        found = self.mapping.get(key, self)
        if found is self:
            raise self.wrong(f"{quoted(key)} is missing")
        return self._inner(key, found)

    def get(self, key: str, default: object) -> "NestedValue":
        return self._inner(key, self.mapping.get(key, default))

    def items(self) -> list[tuple[str, "NestedValue"]]:
        """Yield the keys, which must be strings, with their values."""
        keys: Mapping[Any, object] = self.mapping
        odd = next((key for key in keys if not isinstance(key, str) or not key), None)
        if odd is not None:
            raise self.wrong(f"the key {odd!r} isn't a string")
        return [(key, self._inner(key, inner)) for key, inner in keys.items()]

    @property
    def mapping(self) -> Mapping[str, object]:
        if not isinstance(self._value, Mapping):
            raise self.wrong(DICTIONARY_EXPECTED)
        return self._value

    @property
    def value(self) -> object:
        return self._value

    def texts(self) -> list[str]:
        """Return a list of different strings."""
        value = self._value
        if isinstance(value, str | bytes) or not isinstance(value, Collection):
            raise self.wrong(STRINGS_EXPECTED)
        texts = [text for text in value if isinstance(text, str) and text]
        if len(texts) < len(value):
            raise self.wrong(ITEM_NOT_A_STRING)
        if len(set(texts)) < len(texts):
            raise self.wrong(REPEATED_ITEM)
        return texts

    def text(self) -> str:
        if not isinstance(self._value, str) or not self._value:
            raise self.wrong(STRING_EXPECTED)
        return self._value

    def one_of(self, known: Collection[str], *, what: str) -> str:
        text = self.text()
        if text not in known:
            raise self.wrong(f"{quoted(text)} isn't a {what}")
        return text

    def wrong(self, problem: str) -> InputError:
        """Return an error that names the place in the file."""
        location = " › ".join(self._way) or "at the top level"
        return InputError(f"{location}: {problem}.", file=self._file)

    def _inner(self, key: str, value: object) -> "NestedValue":
        return NestedValue(value, file=self._file, way=(*self._way, key))
