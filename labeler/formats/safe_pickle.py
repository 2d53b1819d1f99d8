"""Read a pickle that contains only containers, strings, numbers and arrays of numbers."""

import pickle
import pickletools
from io import BytesIO
from pathlib import Path
from typing import Any

from labeler.core.errors import EnvironmentFault, InputError
from labeler.formats.pickle_values import ALLOWED_GLOBALS, AllowedCallable, PlainArray, ValueBudget

INVALID_UNICODE = "it contains a string that isn't valid Unicode"

# Python's unpickler trusts the lengths and memo numbers in a file: nine bytes with the memo number
# four billion make it allocate all memory. So they are checked before anything is read.
_ARGUMENT_LINES = {"GLOBAL": 2, "INST": 2}  # a module and a name in it
_LENGTH_BYTES = {
    pickletools.TAKEN_FROM_ARGUMENT1: 1,
    pickletools.TAKEN_FROM_ARGUMENT4: 4,
    pickletools.TAKEN_FROM_ARGUMENT4U: 4,
    pickletools.TAKEN_FROM_ARGUMENT8U: 8,
}
_OPCODES = {ord(step.code): step for step in pickletools.opcodes}
_LONG_BINPUT = ord(pickle.LONG_BINPUT)
_VARIABLE = -1


def _fixed_length(code: int) -> int:
    """Return the length of an opcode's argument if it is constant and allocates nothing."""
    step = _OPCODES.get(code)
    if step is None or step.name == "STOP" or code == _LONG_BINPUT:
        return _VARIABLE
    length = 0 if step.arg is None else step.arg.n
    return 1 + length if length >= 0 else _VARIABLE


_LENGTHS = tuple(_fixed_length(code) for code in range(256))


def require_plausible_sizes(content: bytes) -> None:
    """Refuse a pickle with a memo number or a length that is larger than the file.

    Other errors are left to the unpickler, which reads the same opcodes.
    """
    size, offset = len(content), 0
    while offset < size:
        length = _LENGTHS[content[offset]]
        if length == _VARIABLE:
            length = _length_at(content, offset)
        offset += length


def _length_at(content: bytes, offset: int) -> int:
    """Return the length of the opcode at this position; the last or an unknown one ends it."""
    code, start, size = content[offset], offset + 1, len(content)
    if code == _LONG_BINPUT:
        _require_fit(_number(content[start : start + 4]) <= size)
        return 5
    step = _OPCODES.get(code)
    if step is None or step.arg is None:
        return size
    if step.arg.n in _LENGTH_BYTES:
        begin = start + _LENGTH_BYTES[step.arg.n]
        counted = _number(content[start:begin])
        _require_fit(counted <= size - begin)
        return begin + counted - offset
    end = start
    for _ in range(_ARGUMENT_LINES.get(step.name, 1)):
        end = content.find(b"\n", end) + 1 or size
    if step.name == "PUT":
        _require_fit(_line_number(content[start:end]) <= size)
    return end - offset


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _line_number(line: bytes) -> int:
    """Return the number on the line; the unpickler refuses a line without one."""
    try:
        return int(line)
    except ValueError:
        return 0


def _require_fit(fits: bool) -> None:
    if not fits:
        raise pickle.UnpicklingError("it is damaged: a length in it is larger than the file")


# The exceptions that a damaged or malicious pickle makes the unpickler raise.
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
            raise pickle.UnpicklingError(f"it uses {module}.{name}, which isn't allowed")
        return AllowedCallable(admitted, self._room)

    def persistent_load(self, _name: object) -> object:
        raise pickle.UnpicklingError("it refers to an object outside the file")


def read_safe_pickle(file: Path) -> object:
    """Return the contents of the file as Python containers, strings and numbers."""
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
    message = isinstance(error, pickle.UnpicklingError) and str(error)
    return (message or "it is damaged, or it isn't a pickle").rstrip(".")


_LEAVES = frozenset({str, bytes, bool, int, float, type(None)})


class _PlainConverter:
    """Converts the values to Python containers; shared values are converted once."""

    def __init__(self) -> None:
        self._done: dict[int, object] = {}

    def of(self, value: object) -> object:
        # There are millions of strings and numbers, so only containers are remembered.
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
                raise pickle.UnpicklingError(INVALID_UNICODE)
            case str() | bytes() | bool() | int() | float() | None:
                return value
        raise pickle.UnpicklingError(f"it contains a {type(value).__name__}, which isn't supported")

    def _made_dictionary(self, value: dict[Any, object]) -> object:
        """Return the value itself if nothing has to be converted, to save the memory of a copy."""
        if type(value) is not dict or any(type(key) not in _LEAVES for key in value):
            return {self.of(key): self.of(inner) for key, inner in value.items()}
        for key, inner in value.items():
            self.of(key)
            value[key] = self.of(inner)
        return value


def _is_text(value: str) -> bool:
    """Return whether the string is valid Unicode; a pickle may contain lone surrogates."""
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False
