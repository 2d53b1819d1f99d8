"""Where a row breaks off that is no CSV: its reader tells why, and not at which value."""

import csv
from collections.abc import Iterable
from enum import Enum, auto
from itertools import chain


class _ParserState(Enum):
    """Where in a value a character stands."""

    BEGINNING = auto()
    PLAIN = auto()
    QUOTED = auto()
    AFTER_QUOTE = auto()


def broken_value_index(lines: Iterable[str]) -> int:
    """The place of the value, from 0, at which the broken row that begins here can't go on."""
    at, place, length = _ParserState.BEGINNING, 0, 0
    for character in chain.from_iterable(lines):
        if _ends_row(at, character) or length > csv.field_size_limit():
            break
        if character == "," and at is not _ParserState.QUOTED:
            at, place, length = _ParserState.BEGINNING, place + 1, 0
        else:
            at, length = _next_state(at, character), length + 1
    return place


def _ends_row(at: _ParserState, character: str) -> bool:
    if at is _ParserState.AFTER_QUOTE:
        return character not in ',"'
    return at is not _ParserState.QUOTED and character in "\r\n"


def _next_state(at: _ParserState, character: str) -> _ParserState:
    if character == '"' and at is not _ParserState.PLAIN:
        return _ParserState.AFTER_QUOTE if at is _ParserState.QUOTED else _ParserState.QUOTED
    return _ParserState.QUOTED if at is _ParserState.QUOTED else _ParserState.PLAIN
