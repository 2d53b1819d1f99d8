"""Whether the numbers in a pickle ask for more room than its size accounts for.

Python's unpickler believes them: nine bytes that number a value with four billion make it take the
memory of the whole machine. So the numbers are looked at before anything is read.
"""

import pickle
import pickletools

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
    """How long a step is, if it is always as long and holds no number that asks for room."""
    step = _OPCODES.get(code)
    if step is None or step.name == "STOP" or code == _LONG_BINPUT:
        return _VARIABLE
    length = 0 if step.arg is None else step.arg.n
    return 1 + length if length >= 0 else _VARIABLE


_LENGTHS = tuple(_fixed_length(code) for code in range(256))


def require_plausible_sizes(content: bytes) -> None:
    """Refuse a pickle that numbers a value, or announces bytes, beyond its own size.

    What else may be wrong is left to the unpickler, which takes the same steps.
    """
    size, place = len(content), 0
    while place < size:
        length = _LENGTHS[content[place]]
        if length == _VARIABLE:
            length = _length_at(content, place)
        place += length


def _length_at(content: bytes, place: int) -> int:
    """How long the step is that begins there; nothing follows the last, nor one that is unknown."""
    code, start, size = content[place], place + 1, len(content)
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
        return begin + counted - place
    end = start
    for _ in range(_ARGUMENT_LINES.get(step.name, 1)):
        end = content.find(b"\n", end) + 1 or size
    if step.name == "PUT":
        _require_fit(_line_number(content[start:end]) <= size)
    return end - place


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _line_number(line: bytes) -> int:
    """The line's number; the unpickler refuses a line that has none."""
    try:
        return int(line)
    except ValueError:
        return 0


def _require_fit(fits: bool) -> None:
    if not fits:
        raise pickle.UnpicklingError("it is damaged: it tells of more than the file can hold")
