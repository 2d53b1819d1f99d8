"""Reading a pickle that holds nothing but containers, texts, numbers and arrays of numbers.

A pickle may call whatever it names. Here it may name what stands in one list, and each name
stands for something of ours or for an empty container, so that nothing it calls does anything.
"""

import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from labeler.core.errors import EnvironmentFault, InputError
from labeler.formats.pickle_room import require_room

_NUMERIC_KINDS = "?biufSU"
_BYTE_ORDERS = "<>|="
# What a broken or hostile pickle makes the unpickler raise.
_BROKEN = (
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


class _Type:
    """An array's kind of number, in place of numpy's dtype."""

    def __init__(self, code: str, *_flags: object) -> None:
        if not isinstance(code, str) or code[:1] not in _NUMERIC_KINDS or not _is_size(code[1:]):
            raise pickle.UnpicklingError(f"arrays of {code!r} are not read")
        self._code, self._order = code, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order, extras = state[1], state[2:5]
        if order not in _BYTE_ORDERS or any(extra is not None for extra in extras):
            raise pickle.UnpicklingError("arrays of composed types are not read")
        self._order = order

    def values(self, data: object) -> "np.ndarray[Any, Any]":
        if not isinstance(data, bytes | bytearray):
            raise pickle.UnpicklingError("an array's numbers are no bytes")
        return np.frombuffer(data, np.dtype(self._order.replace("|", "=") + self._code))


class _Array:
    """An array as nested lists, in place of numpy's; empty until its state comes."""

    def __init__(self, *_made_with: object) -> None:
        self.plain: object = []

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _version, shape, kind, by_column, data = state
        self.plain = _listed(kind, data, shape, by_column=bool(by_column))


class _Buffered(_Array):
    """The same, made at once: how arrays are written by the newest protocol."""

    def __init__(self, data: object, kind: object, shape: object, order: object) -> None:
        self.plain = _listed(kind, data, shape, by_column=order == "F")


def _listed(kind: object, data: object, shape: Any, *, by_column: bool) -> object:
    if not isinstance(kind, _Type):
        raise pickle.UnpicklingError("an array has no known type")
    values = kind.values(data)
    shaped = values.reshape(shape, order="F" if by_column else "C")
    # Nothing has room for any number of rows.
    if not values.size and len(shaped):
        raise pickle.UnpicklingError("an array has rows without numbers")
    return shaped.tolist()


class _Scalar:
    """A number of numpy's, read as Python's own."""

    def __new__(cls, kind: object, data: object) -> Any:
        if not isinstance(kind, _Type):
            raise pickle.UnpicklingError("a number has no known type")
        return kind.values(data).reshape(()).tolist()

    def __setstate__(self, _state: object) -> None:
        raise pickle.UnpicklingError("a number has no state")


class _Bytes:
    """Bytes as the older protocols write them: a text, and how it is encoded."""

    def __new__(cls, text: str, encoding: str) -> Any:
        if encoding != "latin1":
            raise pickle.UnpicklingError(f"bytes in {encoding!r} are not read")
        return text.encode("latin-1")

    def __setstate__(self, _state: object) -> None:
        raise pickle.UnpicklingError("bytes have no state")


# Before and after numpy's second version.
_NUMPY = ("numpy.core", "numpy._core")
_ADMITTED: dict[tuple[str, str], Callable[..., object]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "defaultdict"): defaultdict,
    **{("builtins", kind.__name__): kind for kind in (dict, frozenset, list, set)},
    ("_codecs", "encode"): _Bytes,
    ("numpy", "dtype"): _Type,
    ("numpy", "ndarray"): _Array,
    **{(f"{numpy}.multiarray", "_reconstruct"): _Array for numpy in _NUMPY},
    **{(f"{numpy}.multiarray", "scalar"): _Scalar for numpy in _NUMPY},
    **{(f"{numpy}.numeric", "_frombuffer"): _Buffered for numpy in _NUMPY},
}


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Callable[..., object]:
        admitted = _ADMITTED.get((module, name))
        if admitted is None:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which is not read")
        return admitted

    def persistent_load(self, _name: object) -> object:
        raise pickle.UnpicklingError("it refers to something outside of it")


def read_plain(file: Path) -> object:
    """What the file holds, in Python's own containers, texts and numbers."""
    try:
        return _Plain().of(_load(file.read_bytes()))
    except _BROKEN as error:
        raise InputError(f"this pickle can't be read: {_reason(error)}.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error


def _load(content: bytes) -> object:
    require_room(content)
    return _PlainUnpickler(BytesIO(content), encoding="latin-1").load()


def _reason(error: BaseException) -> str:
    told = isinstance(error, pickle.UnpicklingError) and str(error)
    return (told or "it is damaged, or no pickle").rstrip(".")


_LEAVES = frozenset({str, bytes, bool, int, float, type(None)})


class _Plain:
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
            case _Array():
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


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6
