"""Write rows of the exchange format to a Parquet file, with typed columns."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from labeler.core.study.exchange_format import ColumnKind, ExchangeFile
from labeler.store.exchange.parquet.library import load_pyarrow

# Rows that are held as Python objects.
_ROWS_PER_GROUP = 1 << 17


def write_parquet(
    path: Path, file: ExchangeFile, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> int:
    """Write a file and return its number of rows; an empty field is a missing value.

    Times stay texts, as they were recorded, so that a round trip loses nothing.
    """
    pa, pq = load_pyarrow()
    kinds = [file.kind_of(column) for column in columns]
    schema = pa.schema(
        [(column, _type(pa, kind)) for column, kind in zip(columns, kinds, strict=True)]
    )
    count = 0
    with path.open("xb") as stream:
        with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
            for group in _groups(rows):
                writer.write_table(_table(pa, schema, kinds, group))
                count += len(group)
        stream.flush()
        os.fsync(stream.fileno())
    return count


def _groups(rows: Iterable[Sequence[object]]) -> Iterator[list[Sequence[object]]]:
    remaining = iter(rows)
    while group := list(islice(remaining, _ROWS_PER_GROUP)):
        yield group


def _table(
    pa: Any, schema: Any, kinds: Sequence[ColumnKind], rows: Sequence[Sequence[object]]
) -> Any:
    columns = zip(*rows, strict=True)
    arrays = [
        pa.array([_CONVERSIONS[kind](value) for value in values], field.type)
        for values, kind, field in zip(columns, kinds, schema, strict=True)
    ]
    return pa.table(arrays, schema=schema)


def _type(pa: Any, kind: ColumnKind) -> Any:
    types = {ColumnKind.WHOLE: pa.int64(), ColumnKind.DECIMAL: pa.float64()}
    return pa.bool_() if kind is ColumnKind.FLAG else types.get(kind, pa.string())


def _text(value: object) -> str | None:
    return None if value in ("", None) else str(value)


def _whole(value: object) -> int | None:
    return None if value in ("", None) else int(str(value))


def _decimal(value: object) -> float | None:
    return None if value in ("", None) else float(str(value))


def _flag(value: object) -> bool | None:
    return None if value in ("", None) else str(value) in ("1", "True")


_CONVERSIONS: dict[ColumnKind, Callable[[object], object]] = {
    ColumnKind.TEXT: _text,
    ColumnKind.TIME: _text,
    ColumnKind.WHOLE: _whole,
    ColumnKind.DECIMAL: _decimal,
    ColumnKind.FLAG: _flag,
}
assert set(_CONVERSIONS) == set(ColumnKind), "every kind of column has a conversion"
