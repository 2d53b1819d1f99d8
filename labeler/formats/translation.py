"""What a foreign file says, as files of the exchange format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from labeler.core.study.exchange_format import ExchangeFile

ExchangeRow = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """Rows by file, each with all of the file's columns, and what the reader should know."""

    rows: Mapping[ExchangeFile, Iterable[ExchangeRow]]
    notes: tuple[str, ...] = ()
