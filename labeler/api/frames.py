"""DataFrames from rows of the exchange format, with numbers, times and flags as such."""

from collections.abc import Iterable, Sequence

import pandas as pd

from labeler.core.study.exchange_format import ColumnKind, ExchangeFile


def exchange_frame(file: ExchangeFile, rows: Iterable[Sequence[object]]) -> pd.DataFrame:
    """Return the rows with the exported columns of a file; an empty field is a missing value."""
    frame = pd.DataFrame(map(tuple, rows), columns=list(file.exported))
    for column in frame.columns:
        frame[column] = _typed(file.kind_of(str(column)), frame[column])
    return frame


def _typed(kind: ColumnKind, values: pd.Series) -> pd.Series:
    if kind is ColumnKind.FLAG:
        return values.astype(str).isin(("1", "True")).astype(bool)
    if kind is ColumnKind.WHOLE:
        return pd.to_numeric(values.replace("", None)).astype("Int64")
    if kind is ColumnKind.DECIMAL:
        return pd.to_numeric(values.replace("", None)).astype("float64")
    if kind is ColumnKind.TIME:
        return pd.to_datetime(values.replace("", None), utc=True, format="ISO8601")
    texts = values.astype("string")
    return texts.mask(texts == "")


def matching(frame: pd.DataFrame, **wanted: str | None) -> pd.DataFrame:
    """Return the rows that have these values; None matches every value."""
    for column, value in wanted.items():
        if value is not None:
            frame = frame[frame[column] == value]
    return frame.reset_index(drop=True)
