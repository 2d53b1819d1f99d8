"""Reading a pickle that holds nothing but containers, texts, numbers and arrays of numbers."""

import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

from labeler.core.errors import EnvironmentFault, InputError
from labeler.formats.pickle_room import require_plausible_sizes
from labeler.formats.pickle_values import ALLOWED_GLOBALS, AllowedCallable, PlainArray, ValueBudget

# What a broken or hostile pickle makes the unpickler raise.
_UNPICKLING_ERRORS = (
    pickle.UnpicklingError,
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


class _SafeUnpickler(pickle.Unpickler):
    def __init__(self, content: bytes) -> None:
        super().__init__(BytesIO(content), encoding="latin-1")
        self._room = ValueBudget(size=len(content))

    def find_class(self, module: str, name: str) -> AllowedCallable:
        admitted = ALLOWED_GLOBALS.get((module, name))
        if admitted is None:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which is not read")
        return AllowedCallable(admitted, self._room)

    def persistent_load(self, _name: object) -> object:
        raise pickle.UnpicklingError("it refers to something outside of it")


def read_safe_pickle(file: Path) -> object:
    """What the file holds, in Python's own containers, texts and numbers."""
    try:
        return _PlainConverter().of(_load(file.read_bytes()))
    except _UNPICKLING_ERRORS as error:
        raise InputError(f"this pickle can't be read: {_reason(error)}.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error


def _load(content: bytes) -> object:
    require_plausible_sizes(content)
    return _SafeUnpickler(content).load()


def _reason(error: BaseException) -> str:
    told = isinstance(error, pickle.UnpicklingError) and str(error)
    return (told or "it is damaged, or no pickle").rstrip(".")


_LEAVES = frozenset({str, bytes, bool, int, float, type(None)})


class _PlainConverter:
    """Turns what was read into Python's own containers, what stands twice once."""

    def __init__(self) -> None:
        self._done: dict[int, object] = {}

    def of(self, value: object) -> object:
        # Millions of texts and numbers: only what can hold others is remembered.
        if type(value) in _LEAVES and (type(value) is not str or _is_text(value)):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = self._made(value)
        return self._done[id(value)]

    def _made(self, value: object) -> object:
        match value:
            case PlainArray():
                return value.plain
            case dict():
                return self._made_dictionary(value)
            case list():
                value[:] = [self.of(inner) for inner in value]
                return value
            case tuple():
                return tuple(self.of(inner) for inner in value)
            case set() | frozenset():
                return frozenset(self.of(inner) for inner in value)
            case str() if not _is_text(value):
                raise pickle.UnpicklingError("it holds a text that is no Unicode")
            case str() | bytes() | bool() | int() | float() | None:
                return value
        raise pickle.UnpicklingError(f"it holds a {type(value).__name__}, which is not read")

    def _made_dictionary(self, value: dict[Any, object]) -> object:
        """The same where it is Python's own already: a copy of millions would take the memory."""
        if type(value) is not dict or any(type(key) not in _LEAVES for key in value):
            return {self.of(key): self.of(inner) for key, inner in value.items()}
        for key, inner in value.items():
            self.of(key)
            value[key] = self.of(inner)
        return value


def _is_text(value: str) -> bool:
    """Whether it can be written: half of a character, which a pickle may hold, can't."""
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False
