"""Import a file whose rows are added, skipped if the study has them, or refused if they differ."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import Any

from sqlalchemy.orm import Session

from labeler.core.study.exchange_format import ExchangeFile
from labeler.core.study.exchange_rows import Fields
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore, Transaction

Cells = tuple[str, ...]
_ROWS_PER_INSERT = 5_000


class KeyedRows(ABC):
    """The rows of one file during an import or export."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction
        self.session: Session = transaction.session

    @abstractmethod
    def stored(self) -> Iterator[Cells]:
        """Yield the study's rows in the order of the file's columns, sorted."""

    @abstractmethod
    def parse(self, fields: Fields) -> tuple[Cells, Any]:
        """Return a row as it is exported, and what is needed to add it."""

    @abstractmethod
    def add(self, rows: list[Any]) -> None:
        """Add new rows."""


class KeyedFile:
    """One file of the format and its rows."""

    def __init__(self, file: ExchangeFile, rows: type[KeyedRows]) -> None:
        self.file = file
        self._rows = rows

    def export(self, transaction: Transaction) -> Iterator[Cells]:
        """Yield the rows of the study."""
        return self._rows(transaction).stored()

    def import_rows(
        self, _store: StudyStore, transaction: Transaction, source: CsvSource
    ) -> FileImport:
        """Add the rows that the study doesn't have; one that differs is an error."""
        rows = self._rows(transaction)
        stored = {self._key(cells): cells for cells in rows.stored()}
        lines: dict[Cells, int] = {}
        new = self._new_rows(rows, source, stored, lines)
        added = 0
        while chunk := list(islice(new, _ROWS_PER_INSERT)):
            rows.add(chunk)
            added += len(chunk)
        read = len(lines)
        return FileImport(file=self.file.name, read=read, added=added, skipped=read - added)

    def _new_rows(
        self,
        rows: KeyedRows,
        source: CsvSource,
        stored: dict[Cells, Cells],
        lines: dict[Cells, int],
    ) -> Iterator[Any]:
        for record in source.records():
            source.check(record, rows.parse)
            cells, values = rows.parse(record.fields)
            first = lines.setdefault(self._key(cells), record.line)
            if first != record.line:
                raise source.repeated(record.line, first)
            known = stored.get(self._key(cells))
            if known is None:
                yield values
                continue
            for column, ours, theirs in zip(self.file.columns, known, cells, strict=True):
                if ours != theirs:
                    raise source.differing(record, column, ours)

    def _key(self, cells: Cells) -> Cells:
        columns = self.file.columns
        return tuple(cells[columns.index(column)] for column in self.file.key)
