"""Looking into nested containers that someone else wrote, with a sentence for what is amiss."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from labeler.core.errors import InputError
from labeler.core.study.exchange_rows import quoted


class NestedValue:
    """A value in a file, and the way to it as a person would name it."""

    def __init__(self, value: object, *, file: Path, way: tuple[str, ...] = ()) -> None:
        self._value = value
        self._file = file
        self._way = way

    def at(self, key: str) -> "NestedValue":
        """What is under the key; it must be there."""
        found = self.mapping.get(key, self)
        if found is self:
            raise self.wrong(f"{quoted(key)} is missing")
        return self._inner(key, found)

    def get(self, key: str, default: object) -> "NestedValue":
        return self._inner(key, self.mapping.get(key, default))

    def items(self) -> list[tuple[str, "NestedValue"]]:
        """The keys, which must be texts, with what is under them."""
        keys: Mapping[Any, object] = self.mapping
        odd = next((key for key in keys if not isinstance(key, str) or not key), None)
        if odd is not None:
            raise self.wrong(f"the key {odd!r} is no text")
        return [(key, self._inner(key, inner)) for key, inner in keys.items()]

    @property
    def mapping(self) -> Mapping[str, object]:
        if not isinstance(self._value, Mapping):
            raise self.wrong("a dictionary is expected here")
        return self._value

    @property
    def value(self) -> object:
        return self._value

    def texts(self) -> list[str]:
        """A list of texts, each once."""
        value = self._value
        if isinstance(value, str | bytes) or not isinstance(value, Collection):
            raise self.wrong("a list of texts is expected here")
        texts = [text for text in value if isinstance(text, str) and text]
        if len(texts) < len(value):
            raise self.wrong("something in this list is no text")
        if len(set(texts)) < len(texts):
            raise self.wrong("something stands in this list twice")
        return texts

    def text(self) -> str:
        if not isinstance(self._value, str) or not self._value:
            raise self.wrong("a text is expected here")
        return self._value

    def one_of(self, known: Collection[str], *, what: str) -> str:
        text = self.text()
        if text not in known:
            raise self.wrong(f"{quoted(text)} is no {what}")
        return text

    def wrong(self, problem: str) -> InputError:
        """An error that names the place."""
        place = " › ".join(self._way) or "at the top"
        return InputError(f"{place}: {problem}.", file=self._file)

    def _inner(self, key: str, value: object) -> "NestedValue":
        return NestedValue(value, file=self._file, way=(*self._way, key))
