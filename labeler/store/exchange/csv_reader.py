"""Read a file of the exchange format: fast in chunks of columns, or exactly by records."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import chain, compress, dropwhile, islice
from math import nan
from pathlib import Path
from typing import ClassVar, NamedTuple, NoReturn, Protocol, TextIO

import numpy as np
import numpy.typing as npt

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.study.exchange_format import ExchangeFile, header_problem
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    look_like_numbers,
    quoted,
)
from labeler.store.exchange.lookups import ImageSlots


class _ParserState(Enum):
    """The state of the parser within a value."""

    BEGINNING = auto()
    PLAIN = auto()
    QUOTED = auto()
    AFTER_QUOTE = auto()


def broken_value_index(lines: Iterable[str]) -> int:
    """Return the index of the value at which a broken row fails, from 0."""
    state, index, length = _ParserState.BEGINNING, 0, 0
    for character in chain.from_iterable(lines):
        if _ends_row(state, character) or length > csv.field_size_limit():
            break
        if character == "," and state is not _ParserState.QUOTED:
            state, index, length = _ParserState.BEGINNING, index + 1, 0
        else:
            state, length = _next_state(state, character), length + 1
    return index


def _ends_row(state: _ParserState, character: str) -> bool:
    if state is _ParserState.AFTER_QUOTE:
        return character not in ',"'
    return state is not _ParserState.QUOTED and character in "\r\n"


def _next_state(state: _ParserState, character: str) -> _ParserState:
    if character == '"' and state is not _ParserState.PLAIN:
        return _ParserState.AFTER_QUOTE if state is _ParserState.QUOTED else _ParserState.QUOTED
    return _ParserState.QUOTED if state is _ParserState.QUOTED else _ParserState.PLAIN


# Called with the file name, the amount done, and the total.
FileProgress = Callable[[str, int, int], None]

# Rows per chunk: enough to work by columns, few enough for the processor cache.
CHUNK_ROWS = 8192

# How many further errors are reported with the first, and how many rows are searched for them.
_FURTHER_FAULTS = 20
_FURTHER_ROWS = 100_000

_CSV_PROBLEMS = {
    "unexpected end of data": "a quote opens here and is never closed.",
    "expected after": "text follows a closing quote; a quote inside a value must be doubled.",
    "field larger than field limit": "a value is too long; maybe a quote is never closed.",
}


class RowReader(Protocol):
    """The interface of `csv.reader`."""

    @property
    def line_num(self) -> int: ...

    def __iter__(self) -> Iterator[list[str]]: ...

    def __next__(self) -> list[str]: ...


class CsvRecord(NamedTuple):
    """A row with the line that it starts on; line 1 is the header."""

    line: int
    fields: dict[str, str]


@dataclass(frozen=True, slots=True)
class RowChunk:
    """Some rows as columns, and the positions of these rows in the file."""

    columns: Mapping[str, tuple[str, ...]]
    places: Sequence[int]

    def __getitem__(self, column: str) -> tuple[str, ...]:
        return self.columns[column]

    def __len__(self) -> int:
        return len(self.places)

    def where(self, chosen: Sequence[bool]) -> "RowChunk":
        """Return only the chosen rows."""
        columns = {name: tuple(compress(texts, chosen)) for name, texts in self.columns.items()}
        return RowChunk(columns, list(compress(self.places, chosen)))

    def distinct(self, column: str) -> set[str]:
        """Return the different values of a column."""
        return set(self.columns[column])

    def mapped(self, column: str, ids: Mapping[str, int]) -> npt.NDArray[np.int64]:
        """Return the numbers of a column's values; an unknown value is a KeyError."""
        return np.fromiter(map(ids.__getitem__, self.columns[column]), np.int64, len(self))

    def numbers(self, column: str) -> npt.NDArray[np.float64]:
        """Return a column as numbers, NaN where it is empty; other text is a ValueError."""
        texts = self.columns[column]
        if not look_like_numbers(texts):
            raise ValueError(column)
        return np.array([float(text) if text else nan for text in texts], np.float64)

    def slots(self, images: ImageSlots) -> npt.NDArray[np.int64]:
        """Return the slots of the rows' images; an unknown image or dataset is a KeyError."""
        slots = images.slots_of(self.columns["dataset"], self.columns["image"])
        return np.fromiter(slots, np.int64, len(self))

    def rows(self) -> Iterator[dict[str, str]]:
        """Yield the rows one by one."""
        for texts in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, texts, strict=True))


class CsvSource:
    """One file of the format. To locate an error it is read a second time, exactly.

    With `updates`, a row that differs from the study's becomes its next revision.
    """

    place_word: ClassVar = "line"

    def __init__(self, path: Path, file: ExchangeFile, progress: FileProgress) -> None:
        self.file = file
        self.updates = False
        self._path = path
        self._progress = progress

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns in the file's header, checked to be those of the format."""
        with self._open(errors="surrogateescape") as stream:
            return tuple(self._header(csv.reader(stream, strict=True)))

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that identify a row of this file."""
        return self.file.key_in(self.columns)

    def chunks(self) -> Iterator[RowChunk]:
        """Yield all rows by columns; chunks are only checked to be rectangular text."""
        size = max(1, self._path.stat().st_size)
        position = 0
        try:
            with self._open() as stream:
                reader = csv.reader(stream, strict=True)
                header = self._header(reader)
                while rows := list(islice(reader, CHUNK_ROWS)):
                    yield self._chunk(header, rows, position)
                    position += len(rows)
                    self._progress(self.file.name, stream.buffer.tell(), size)
        except (UnicodeDecodeError, csv.Error):
            self.raise_first_fault(0, lambda _fields: None)

    def _chunk(self, header: list[str], rows: list[list[str]], position: int) -> RowChunk:
        widths = set(map(len, rows))
        if widths != {len(header)}:
            self.raise_first_fault(position, lambda _fields: None)
        columns = dict(zip(header, zip(*rows, strict=True), strict=True))
        return RowChunk(columns, range(position, position + len(rows)))

    def report_done(self) -> None:
        """Report the file as completely read, which short files don't do otherwise."""
        size = max(1, self._path.stat().st_size)
        self._progress(self.file.name, size, size)

    def records(self) -> Iterator[CsvRecord]:
        """Yield all rows one by one, checked to be text with the right number of fields."""
        with self._open(errors="surrogateescape") as stream:
            reader = csv.reader(stream, strict=True)
            header = self._header(reader)
            line = reader.line_num + 1
            while (row := self._next(reader, line, header)) is not None:
                yield CsvRecord(line, self._fields(header, row, line))
                line = reader.line_num + 1

    def raise_first_fault(self, place: int, check: Callable[[Fields], object]) -> NoReturn:
        """Raise the error of the first row from `place` on that `check` refuses."""
        rows = islice(self.records(), place, None)
        first = next((fault for record in rows if (fault := self._row_fault(record, check))), None)
        if first is None:
            raise AssertionError(f"{self.file.name} was refused, but all its rows are valid.")
        raise self._with_others(first, rows, check)

    def check(self, record: CsvRecord, check: Callable[[Fields], object]) -> None:
        """Raise the error that `check` finds in the row, with its location in the file."""
        fault = self._row_fault(record, check)
        if fault is not None:
            later = dropwhile(lambda other: other.line <= record.line, self.records())
            raise self._with_others(fault, later, check)

    def _row_fault(self, record: CsvRecord, check: Callable[[Fields], object]) -> InputError | None:
        try:
            check(record.fields)
        except InvalidValueError as bad:
            return self.fault(record.line, bad.column, bad.problem)
        return None

    def _with_others(
        self, first: InputError, later: Iterator[CsvRecord], check: Callable[[Fields], object]
    ) -> InputError:
        """Return the error with those that follow, so that all can be fixed together."""
        found: list[InputError] = []
        try:
            for record in islice(later, _FURTHER_ROWS):
                fault = self._row_fault(record, check)
                if fault is not None:
                    found.append(fault)
                    if len(found) == _FURTHER_FAULTS:
                        break
        except InputError as broken:
            found.append(broken)
        first.others = tuple(found)
        return first

    def at(self, position: int) -> CsvRecord:
        """Return the row at a position."""
        return next(islice(self.records(), position, None))

    def find(self, matches: Callable[[Fields], bool]) -> CsvRecord:
        """Return the first row that matches; there must be one."""
        return next(record for record in self.records() if matches(record.fields))

    def repetition(self, among: RowChunk) -> InputError | None:
        """Return the error for the first of these keys that occurs twice in the file, or None."""
        key = self.key
        keys = set(zip(*(among[column] for column in key), strict=True))
        lines: dict[tuple[str, ...], int] = {}
        for line, fields in self.records():
            found = tuple(fields[column] for column in key)
            if found in keys and lines.setdefault(found, line) != line:
                return self.repeated(line, lines[found])
        return None

    def repeated(self, line: int, first: int) -> InputError:
        """Return the error for a key that occurs on two lines."""
        key = self.key
        named = key[0] if len(key) == 1 else f"{', '.join(key[:-1])} and {key[-1]}"
        relation = "is the same" if len(key) == 1 else "are together the same"
        return self.fault(
            line,
            key[-1],
            f"{named} {relation} as on {self.place_word} {first}; each row may occur only once.",
        )

    def differing(self, record: CsvRecord, column: str, stored: str) -> InputError:
        """Return the error for a row that contradicts the study."""
        given = quoted(record.fields[column])
        problem = f"the file says {given}, but the study has {quoted(stored)}."
        return self.fault(record.line, column, problem)

    def fault(self, line: int, column: str | None, problem: str) -> InputError:
        return InputError(
            problem, file=self._path.name, line=line, column=column, place_word=self.place_word
        )

    @contextmanager
    def _open(self, errors: str = "strict") -> Iterator[TextIO]:
        try:
            with self._path.open(encoding="utf-8-sig", errors=errors, newline="") as stream:
                yield stream
        except OSError as error:
            reason = error.strerror or "it can't be read"
            raise EnvironmentFault(f"'{self._path}' can't be read: {reason}.") from error

    def _header(self, reader: RowReader) -> list[str]:
        header = self._next(reader, 1) or []
        for index, name in enumerate(header):
            if "\0" in name or not _is_text(name):
                raise self.fault(
                    1, _column(index), "this is not UTF-8 text. Save the file as UTF-8."
                )
        problem = header_problem(self.file, header)
        if problem is not None:
            raise self.fault(1, problem.column, problem.problem)
        return header

    def _next(self, reader: RowReader, line: int, header: Sequence[str] = ()) -> list[str] | None:
        try:
            return next(reader, None)
        except csv.Error as error:
            problems = (sentence for part, sentence in _CSV_PROBLEMS.items() if part in str(error))
            problem = next(problems, f"not valid CSV: {error}.")
            raise self.fault(line, self._broken_column(line, header), problem) from error

    def _broken_column(self, line: int, header: Sequence[str]) -> str:
        with self._open(errors="surrogateescape") as stream:
            return _column(broken_value_index(islice(stream, line - 1, None)), header)

    def _fields(self, header: list[str], row: list[str], line: int) -> dict[str, str]:
        if len(row) != len(header):
            given = "the line is empty" if not row else f"there are {len(row)} values"
            # The first column without a value, or the first value without a column.
            column = _column(min(len(row), len(header)), header)
            raise self.fault(line, column, f"{given} where the header has {len(header)} columns.")
        fields = dict(zip(header, row, strict=True))
        for column, text in fields.items():
            if "\0" in text:
                raise self.fault(line, column, f"{quoted(text)} contains a NUL character.")
            if not text.isascii() and not _is_text(text):
                raise self.fault(line, column, f"{quoted(text)} is not UTF-8.")
        return fields


def _column(index: int, header: Sequence[str] = ()) -> str:
    """Return the column's name, or its number if it has none."""
    return header[index] if index < len(header) else str(index + 1)


def _is_text(text: str) -> bool:
    """Return whether every byte of the text could be decoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
