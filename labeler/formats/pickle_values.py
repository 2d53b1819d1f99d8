"""Stand-ins for the names that a pickle may use: containers, strings, numbers and arrays.

A pickle can call any function that it names. Here it can only name the entries of one list, and
each of them creates a container or one of our own types, so no call has side effects. A value can
be used in many calls, so all calls together may create only as many values as the size of the file
allows.
"""

import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sized
from typing import Any

import numpy as np

ROWS_WITHOUT_NUMBERS = "an array has rows without numbers"

TOO_MANY_VALUES = "it creates more values than the file can contain"

_NUMERIC_KINDS = "?biufSU"
_BYTE_ORDERS = "<>|="
_LAST_CHARACTER, _SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)


class ValueBudget:
    """The number of values that may still be created.

    Each takes at least one byte. Values of an array are created twice with older protocols, which
    write them as a string that is converted to bytes.
    """

    def __init__(self, *, size: int) -> None:
        """Set the budget for a file of `size` bytes."""
        self._left = 2 * size

    def take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise pickle.UnpicklingError(TOO_MANY_VALUES)


ValueFactory = Callable[..., object]


class AllowedCallable:
    """A name that may be called; it has no state that can be set."""

    __slots__ = ("_make", "_room")

    def __init__(self, make: ValueFactory, room: ValueBudget) -> None:
        self._make, self._room = make, room

    def __call__(self, *given: object) -> object:
        return self._make(self._room, *given)

    def __setstate__(self, _state: object) -> None:
        raise pickle.UnpicklingError("a name has no state")


class _ArrayType:
    """The type of an array's numbers, instead of numpy's dtype."""

    def __init__(self, code: object) -> None:
        if not isinstance(code, str) or code[:1] not in _NUMERIC_KINDS or not _is_size(code[1:]):
            raise pickle.UnpicklingError(f"arrays of {code!r} aren't supported")
        self._code, self._order = code, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order, extras = state[1], state[2:5]
        if order not in _BYTE_ORDERS or any(extra is not None for extra in extras):
            raise pickle.UnpicklingError("arrays of structured types aren't supported")
        self._order = order

    def values(self, data: object) -> np.ndarray[Any, Any]:
        if not isinstance(data, bytes | bytearray):
            raise pickle.UnpicklingError("the numbers of an array aren't bytes")
        order = self._order.replace("|", "=")
        if self._code[0] == "U" and not _are_characters(np.frombuffer(data, f"{order}u4")):
            raise pickle.UnpicklingError("an array contains a string that isn't valid Unicode")
        return np.frombuffer(data, np.dtype(order + self._code))


class PlainArray:
    """An array as nested lists, instead of numpy's; empty until its state is set."""

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
        # An array of this shape could have any number of rows.
        if not values.size and len(shaped):
            raise pickle.UnpicklingError(ROWS_WITHOUT_NUMBERS)
        self.plain = shaped.tolist()


def _type(_room: ValueBudget, code: object, *_flags: object) -> _ArrayType:
    return _ArrayType(code)


def _array(room: ValueBudget, *_made_with: object) -> PlainArray:
    return PlainArray(room)


def _buffered(
    room: ValueBudget, data: object, kind: object, shape: object, order: object
) -> PlainArray:
    """Return an array from its bytes, as the newest protocol writes it."""
    array = PlainArray(room)
    array.fill(data, kind, shape, by_column=order == "F")
    return array


def _scalar(_room: ValueBudget, kind: object, data: object) -> object:
    """Return a numpy number as a Python number."""
    if not isinstance(kind, _ArrayType):
        raise pickle.UnpicklingError("a number has no known type")
    number: object = kind.values(data).reshape(()).tolist()
    return number


def _encoded(room: ValueBudget, text: object, encoding: object) -> bytes:
    """Return bytes that older protocols write as a string with an encoding."""
    if encoding != "latin1" or not isinstance(text, str):
        raise pickle.UnpicklingError(f"bytes in the encoding {encoding!r} aren't supported")
    room.take(len(text))
    return text.encode("latin-1")


def _container(kind: Callable[..., object]) -> ValueFactory:
    def make(room: ValueBudget, *given: object) -> object:
        room.take(sum(len(one) for one in given if isinstance(one, Sized)))
        return kind(*given)

    return make


# The names before and after numpy 2, and in Python 2 and 3.
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
    """Return whether the characters are valid Unicode without surrogates."""
    halves = (codes >= _SURROGATES[0]) & (codes <= _SURROGATES[1])
    return not np.any(halves | (codes > _LAST_CHARACTER))


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6
