"""Whether the numbers in a pickle ask for more room than its size accounts for.

Python's unpickler believes them: nine bytes that number a value with four billion make it take the
memory of the whole machine. So the numbers are looked at before anything is read.
"""

import pickle
import pickletools

_LINES = {"GLOBAL": 2, "INST": 2}  # a module and a name in it
_COUNTED_IN = {
    pickletools.TAKEN_FROM_ARGUMENT1: 1,
    pickletools.TAKEN_FROM_ARGUMENT4: 4,
    pickletools.TAKEN_FROM_ARGUMENT4U: 4,
    pickletools.TAKEN_FROM_ARGUMENT8U: 8,
}
_STEPS = {ord(step.code): step for step in pickletools.opcodes}
_LONG_BINPUT = ord(pickle.LONG_BINPUT)
_VARIES = -1


def _fixed_length(code: int) -> int:
    """How long a step is, if it is always as long and holds no number that asks for room."""
    step = _STEPS.get(code)
    if step is None or step.name == "STOP" or code == _LONG_BINPUT:
        return _VARIES
    length = 0 if step.arg is None else step.arg.n
    return 1 + length if length >= 0 else _VARIES


_LENGTHS = tuple(_fixed_length(code) for code in range(256))


def require_room(content: bytes) -> None:
    """Refuse a pickle that numbers a value, or announces bytes, beyond its own size.

    What else may be wrong is left to the unpickler, which takes the same steps.
    """
    size, place = len(content), 0
    while place < size:
        length = _LENGTHS[content[place]]
        if length == _VARIES:
            length = _length_at(content, place)
        place += length


def _length_at(content: bytes, place: int) -> int:
    """How long the step is that begins there; nothing follows the last, nor one that is unknown."""
    code, start, size = content[place], place + 1, len(content)
    if code == _LONG_BINPUT:
        _require(_number(content[start : start + 4]) <= size)
        return 5
    step = _STEPS.get(code)
    if step is None or step.arg is None:
        return size
    if step.arg.n in _COUNTED_IN:
        begin = start + _COUNTED_IN[step.arg.n]
        counted = _number(content[start:begin])
        _require(counted <= size - begin)
        return begin + counted - place
    end = start
    for _ in range(_LINES.get(step.name, 1)):
        end = content.find(b"\n", end) + 1 or size
    if step.name == "PUT":
        _require(_told(content[start:end]) <= size)
    return end - place


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _told(line: bytes) -> int:
    """The line's number; the unpickler refuses a line that has none."""
    try:
        return int(line)
    except ValueError:
        return 0


def _require(fits: bool) -> None:
    if not fits:
        raise pickle.UnpicklingError("it is damaged: it tells of more than the file can hold")
