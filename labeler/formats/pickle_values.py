"""What the names in a pickle stand for: containers, texts, numbers and arrays of numbers.

A pickle may call whatever it names. Here it may name what is in one list, and each name makes
something of ours or a container, so that nothing it calls does anything. What is made of a value
that is elsewhere in the file may be made of it again and again: so all calls together make only
as many values as the file's bytes account for.
"""

import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sized
from typing import Any

import numpy as np

_NUMERIC_KINDS = "?biufSU"
_BYTE_ORDERS = "<>|="
_LAST_CHARACTER, _SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)


class ValueBudget:
    """How many values may still be made.

    Each takes a byte at least; those of an array are made twice by the older protocols, which write
    them as a text that is turned into bytes.
    """

    def __init__(self, *, size: int) -> None:
        """`size` is the file's, in bytes."""
        self._left = 2 * size

    def take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise pickle.UnpicklingError("it makes more values than the file can hold")


ValueFactory = Callable[..., object]


class AllowedCallable:
    """A name that may be called; nothing can be put into it."""

    __slots__ = ("_make", "_room")

    def __init__(self, make: ValueFactory, room: ValueBudget) -> None:
        self._make, self._room = make, room

    def __call__(self, *given: object) -> object:
        return self._make(self._room, *given)

    def __setstate__(self, _state: object) -> None:
        raise pickle.UnpicklingError("a name has no state")


class _ArrayType:
    """An array's kind of number, in place of numpy's dtype."""

    def __init__(self, code: object) -> None:
        if not isinstance(code, str) or code[:1] not in _NUMERIC_KINDS or not _is_size(code[1:]):
            raise pickle.UnpicklingError(f"arrays of {code!r} are not read")
        self._code, self._order = code, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order, extras = state[1], state[2:5]
        if order not in _BYTE_ORDERS or any(extra is not None for extra in extras):
            raise pickle.UnpicklingError("arrays of composed types are not read")
        self._order = order

    def values(self, data: object) -> np.ndarray[Any, Any]:
        if not isinstance(data, bytes | bytearray):
            raise pickle.UnpicklingError("an array's numbers are no bytes")
        order = self._order.replace("|", "=")
        if self._code[0] == "U" and not _are_characters(np.frombuffer(data, f"{order}u4")):
            raise pickle.UnpicklingError("an array holds a text that is no Unicode")
        return np.frombuffer(data, np.dtype(order + self._code))


class PlainArray:
    """An array as nested lists, in place of numpy's; empty until its state comes."""

    def __init__(self, room: ValueBudget) -> None:
        self._room = room
        self.plain: object = []

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _version, shape, kind, by_column, data = state
        self.fill(data, kind, shape, by_column=bool(by_column))

    def fill(self, data: object, kind: object, shape: Any, *, by_column: bool) -> None:
        if not isinstance(kind, _ArrayType):
            raise pickle.UnpicklingError("an array has no known type")
        values = kind.values(data)
        self._room.take(values.size)
        shaped = values.reshape(shape, order="F" if by_column else "C")
        # Nothing has room for any number of rows.
        if not values.size and len(shaped):
            raise pickle.UnpicklingError("an array has rows without numbers")
        self.plain = shaped.tolist()


def _type(_room: ValueBudget, code: object, *_flags: object) -> _ArrayType:
    return _ArrayType(code)


def _array(room: ValueBudget, *_made_with: object) -> PlainArray:
    return PlainArray(room)


def _buffered(
    room: ValueBudget, data: object, kind: object, shape: object, order: object
) -> PlainArray:
    """An array made at once: how the newest protocol writes them."""
    array = PlainArray(room)
    array.fill(data, kind, shape, by_column=order == "F")
    return array


def _scalar(_room: ValueBudget, kind: object, data: object) -> object:
    """A number of numpy's, read as Python's own."""
    if not isinstance(kind, _ArrayType):
        raise pickle.UnpicklingError("a number has no known type")
    number: object = kind.values(data).reshape(()).tolist()
    return number


def _encoded(room: ValueBudget, text: object, encoding: object) -> bytes:
    """Bytes as the older protocols write them: a text, and how it is encoded."""
    if encoding != "latin1" or not isinstance(text, str):
        raise pickle.UnpicklingError(f"bytes in {encoding!r} are not read")
    room.take(len(text))
    return text.encode("latin-1")


def _container(kind: Callable[..., object]) -> ValueFactory:
    def make(room: ValueBudget, *given: object) -> object:
        room.take(sum(len(one) for one in given if isinstance(one, Sized)))
        return kind(*given)

    return make


# Before and after numpy's second version, and Python's third.
_NUMPY = ("numpy.core", "numpy._core")
_BUILTINS = ("builtins", "__builtin__")
ALLOWED_GLOBALS: dict[tuple[str, str], ValueFactory] = {
    ("collections", "OrderedDict"): _container(OrderedDict),
    ("collections", "defaultdict"): _container(defaultdict),
    **{
        (builtins, kind.__name__): _container(kind)
        for builtins in _BUILTINS
        for kind in (dict, frozenset, list, set)
    },
    ("_codecs", "encode"): _encoded,
    ("numpy", "dtype"): _type,
    ("numpy", "ndarray"): _array,
    **{(f"{numpy}.multiarray", "_reconstruct"): _array for numpy in _NUMPY},
    **{(f"{numpy}.multiarray", "scalar"): _scalar for numpy in _NUMPY},
    **{(f"{numpy}.numeric", "_frombuffer"): _buffered for numpy in _NUMPY},
}


def _are_characters(codes: np.ndarray[Any, Any]) -> bool:
    """Whether they can be written: neither half a character nor none at all."""
    halves = (codes >= _SURROGATES[0]) & (codes <= _SURROGATES[1])
    return not np.any(halves | (codes > _LAST_CHARACTER))


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6
