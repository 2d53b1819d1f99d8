"""Read a Parquet file of the exchange format, as fast as its columns allow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.study.exchange_format import header_problem
from labeler.core.study.exchange_rows import format_score, quoted
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource, RowChunk
from labeler.store.exchange.lookups import ImageSlots
from labeler.store.exchange.parquet.library import load_pyarrow

_ROWS_PER_CHUNK = 1 << 17
_NOT_PARQUET = "this is not a valid Parquet file, or it is damaged."


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """A column as distinct texts and, for each row, the position of its text."""

    codes: npt.NDArray[np.int64]
    texts: tuple[str, ...]

    def take(self, rows: npt.NDArray[np.int64]) -> "CodedColumn":
        return CodedColumn(self.codes[rows], self.texts)

    @property
    def values(self) -> npt.NDArray[np.float64]:
        numbers = [float(text) if text else np.nan for text in self.texts]
        return np.array(numbers, np.float64)[self.codes]

    def distinct(self) -> set[str]:
        # Not every text of the file's dictionary is in these rows.
        used = np.bincount(self.codes, minlength=len(self.texts))
        return {self.texts[code] for code in np.flatnonzero(used).tolist()}


@dataclass(frozen=True, eq=False)
class DecimalColumn:
    """A column of decimal numbers, most of them distinct; a missing one is NaN."""

    values: npt.NDArray[np.float64]
    text_of: Callable[[float], str]

    def take(self, rows: npt.NDArray[np.int64]) -> "DecimalColumn":
        return DecimalColumn(self.values[rows], self.text_of)

    @cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self.values))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return self._written(self.values)

    def distinct(self) -> set[str]:
        given = self.values[~np.isnan(self.values)]
        missing = {""} if len(given) < len(self.values) else set()
        return missing | set(self._written(np.unique(given)))

    def _written(self, values: npt.NDArray[np.float64]) -> tuple[str, ...]:
        return tuple("" if isnan(value) else self.text_of(value) for value in values.tolist())


ParquetColumn = CodedColumn | DecimalColumn


@dataclass(frozen=True, slots=True)
class ParquetChunk(RowChunk):
    """Some rows of a Parquet file; texts are made only for what is read as text."""

    coded: Mapping[str, ParquetColumn]

    def where(self, chosen: Sequence[bool]) -> RowChunk:
        rows = np.flatnonzero(chosen)
        coded = {name: column.take(rows) for name, column in self.coded.items()}
        places = [self.places[row] for row in rows.tolist()]
        return ParquetChunk(_TextColumns(coded), places, coded)

    def distinct(self, column: str) -> set[str]:
        return self.coded[column].distinct()

    def mapped(self, column: str, ids: Mapping[str, int]) -> npt.NDArray[np.int64]:
        found = self.coded[column]
        numbers = np.array([ids.get(text, -1) for text in found.texts], np.int64)[found.codes]
        if (numbers < 0).any():
            raise KeyError(column)
        return numbers

    def numbers(self, column: str) -> npt.NDArray[np.float64]:
        return self.coded[column].values

    def slots(self, images: ImageSlots) -> npt.NDArray[np.int64]:
        datasets, names = self.coded["dataset"], self.coded["image"]
        found = np.full(len(self), -1, np.int64)
        for dataset in datasets.distinct():
            known = images.slots[dataset]
            slots = np.array([known.get(name, -1) for name in names.texts], np.int64)
            rows = datasets.codes == datasets.texts.index(dataset)
            found[rows] = slots[names.codes[rows]]
        if (found < 0).any():
            raise KeyError("image")
        return found


class _TextColumns(Mapping[str, tuple[str, ...]]):
    """The columns as texts, each made when it is first read."""

    def __init__(self, coded: Mapping[str, ParquetColumn]) -> None:
        self._coded = coded
        self._made: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, column: str) -> tuple[str, ...]:
        if column not in self._made:
            found = self._coded[column]
            self._made[column] = tuple(map(found.texts.__getitem__, found.codes.tolist()))
        return self._made[column]

    def __contains__(self, column: object) -> bool:
        return column in self._coded

    def __iter__(self) -> Iterator[str]:
        return iter(self._coded)

    def __len__(self) -> int:
        return len(self._coded)


class ParquetSource(CsvSource):
    """A Parquet file with the columns of the format; an error names the row instead of the line."""

    place_word = "row"

    @cached_property
    def columns(self) -> tuple[str, ...]:
        with self._opened() as file:
            return self._checked_columns(file)

    def chunks(self) -> Iterator[RowChunk]:
        position = 0
        with self._opened() as file:
            self._checked_columns(file)
            total = max(1, file.metadata.num_rows)
            decoder = _ColumnDecoder()
            for batch in file.iter_batches(batch_size=_ROWS_PER_CHUNK):
                places = range(position, position + batch.num_rows)
                coded = self._decoded(batch, decoder, position)
                yield ParquetChunk(_TextColumns(coded), places, coded)
                position += batch.num_rows
                self._progress(self.file.name, position, total)

    def records(self) -> Iterator[CsvRecord]:
        position = 0
        with self._opened() as file:
            names = self._checked_columns(file)
            decoder = _ColumnDecoder()
            for batch in file.iter_batches(batch_size=_ROWS_PER_CHUNK):
                texts = _TextColumns(self._decoded(batch, decoder, position, exact=True))
                for values in zip(*(texts[name] for name in names), strict=True):
                    position += 1
                    yield CsvRecord(position, self._without_nul(names, values, position))

    def _decoded(
        self, batch: Any, decoder: "_ColumnDecoder", position: int, *, exact: bool = False
    ) -> dict[str, ParquetColumn]:
        coded: dict[str, ParquetColumn] = {}
        for name, array in zip(batch.schema.names, batch.columns, strict=True):
            try:
                coded[name] = decoder.decode(name, array)
            except (UnsupportedTypeError, UnicodeDecodeError) as error:
                raise InputError(_type_problem(error, name), file=self._path.name) from error
        if not exact and any(map(_has_nul, coded.values())):
            self.raise_first_fault(position, lambda _fields: None)
        return coded

    def _without_nul(self, names: Sequence[str], values: Sequence[str], row: int) -> dict[str, str]:
        fields = dict(zip(names, values, strict=True))
        for column, text in fields.items():
            if "\0" in text:
                raise self.fault(row, column, f"{quoted(text)} contains a NUL character.")
        return fields

    def _checked_columns(self, file: Any) -> tuple[str, ...]:
        names = list(file.schema_arrow.names)
        problem = header_problem(self.file, names)
        if problem is not None:
            raise InputError(problem.problem, file=self._path.name, column=problem.column)
        return tuple(names)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        pa, pq = load_pyarrow()
        try:
            schema = pq.read_schema(self._path)
            texts = [field.name for field in schema if pa.types.is_string(field.type)]
            with pq.ParquetFile(self._path, read_dictionary=texts) as file:
                yield file
        except pa.ArrowInvalid as error:
            raise InputError(_NOT_PARQUET, file=self._path.name) from error
        except OSError as error:
            reason = error.strerror or "the file is damaged"
            raise EnvironmentFault(f"'{self._path}' can't be read: {reason}.") from error


def read_parquet_columns(path: Path) -> list[str]:
    """Return the names of a Parquet file's columns."""
    pa, pq = load_pyarrow()
    try:
        return list(pq.read_schema(path).names)
    except pa.ArrowInvalid as error:
        raise InputError(_NOT_PARQUET, file=path) from error


class UnsupportedTypeError(Exception):
    """A column of a type that can't be written as text of the format."""


def _type_problem(error: Exception, column: str) -> str:
    if isinstance(error, UnsupportedTypeError):
        return (
            f"the column {column} has the type {error}. Save it as text, numbers, true and false, "
            "or times."
        )
    return f"the column {column} contains text that is not UTF-8."


class _ColumnDecoder:
    """Turns columns into texts; the texts of a repeated dictionary are made once.

    Arrays are passed on by DLPack, because `to_numpy` would load pandas first.
    """

    def __init__(self) -> None:
        self._dictionaries: dict[str, tuple[Any, tuple[str, ...]]] = {}

    def decode(self, name: str, array: Any) -> ParquetColumn:
        pa, _pq = load_pyarrow()
        if pa.types.is_floating(array.type):
            values = array.cast(pa.float64()).fill_null(float("nan"))
            return DecimalColumn(
                np.asarray(np.from_dlpack(values), np.float64), _TEXTS_OF.get(name, _shortest)
            )
        if not pa.types.is_dictionary(array.type):
            if pa.types.is_nested(array.type):
                raise UnsupportedTypeError(array.type)
            array = array.dictionary_encode()
        texts = self._texts(name, array.dictionary)
        # A missing value is the empty text, which follows the others.
        codes = array.indices.cast(pa.int64()).fill_null(len(texts))
        return CodedColumn(np.asarray(np.from_dlpack(codes), np.int64), (*texts, ""))

    def _texts(self, name: str, dictionary: Any) -> tuple[str, ...]:
        known = self._dictionaries.get(name)
        if known is None or not known[0].equals(dictionary):
            known = dictionary, tuple(map(_text, dictionary.to_pylist()))
            self._dictionaries[name] = known
        return known[1]


def _has_nul(column: ParquetColumn) -> bool:
    return isinstance(column, CodedColumn) and "\0" in "".join(column.texts)


def _text(value: object) -> str:
    """Return a value as a CSV file has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, str | int):
        return str(value)
    raise UnsupportedTypeError("date" if isinstance(value, date) else type(value).__name__)


def _shortest(value: float) -> str:
    """Return the shortest text; pandas makes a column with missing whole numbers decimal."""
    return str(int(value)) if value.is_integer() else repr(value)


def _seconds(value: float) -> str:
    return f"{value:.3f}"


# Numbers have the same text as in a CSV file, so that rows of both can be compared.
_TEXTS_OF: Mapping[str, Callable[[float], str]] = {
    "score": format_score,
    "active_seconds": _seconds,
    "wall_seconds": _seconds,
}
