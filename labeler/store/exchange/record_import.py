"""Import of files that are read row by row, because they are small."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from labeler.core.study.exchange_rows import Fields
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource
from labeler.store.exchange.summary import FileImport

Cells = tuple[str, ...]


def checked_records(source: CsvSource, check: Callable[[Fields], object]) -> list[CsvRecord]:
    """Return all rows of the file, checked one by one and against each other."""
    lines: dict[Cells, int] = {}
    records = []
    for record in source.records():
        source.check(record, check)
        first = lines.setdefault(record_key(source, record), record.line)
        if first != record.line:
            raise source.repeated(record.line, first)
        records.append(record)
    return records


class RowChanges(NamedTuple):
    """The rows that the study doesn't have, and those that it has with other values."""

    new: list[CsvRecord]
    changed: list[CsvRecord]


def compare_rows(
    source: CsvSource, records: Sequence[CsvRecord], stored: dict[Cells, Cells]
) -> RowChanges:
    """Compare the rows with the study's; one that differs is an error unless the file updates.

    `stored` has the exported cells of each row by its key.
    """
    changes = RowChanges([], [])
    for record in records:
        known = stored.get(record_key(source, record))
        if known is None:
            changes.new.append(record)
        elif differing := _differing_column(source, record, known):
            if not source.updates:
                raise source.differing(record, *differing)
            changes.changed.append(record)
    return changes


def rows_not_stored(
    source: CsvSource, records: Sequence[CsvRecord], stored: dict[Cells, Cells]
) -> list[CsvRecord]:
    """Return the rows that the study doesn't have; one that differs is always an error."""
    new = []
    for record in records:
        known = stored.get(record_key(source, record))
        if known is None:
            new.append(record)
        elif differing := _differing_column(source, record, known):
            raise source.differing(record, *differing)
    return new


def _differing_column(source: CsvSource, record: CsvRecord, known: Cells) -> tuple[str, str] | None:
    """Return the first column in which the row differs, and what the study has there."""
    pairs = zip(source.file.exported, known, strict=True)
    return next(((c, text) for c, text in pairs if record.fields.get(c, text) != text), None)


def record_key(source: CsvSource, record: CsvRecord) -> Cells:
    """Return the values that identify a row; a file may have several revisions of one."""
    return tuple(record.fields[column] for column in source.file.key_in(record.fields))


def import_summary(source: CsvSource, *, read: int, added: int, updated: int = 0) -> FileImport:
    """Return the counts of the file; the updated rows are among the added ones."""
    name, skipped = source.file.name, read - added
    return FileImport(file=name, read=read, added=added, skipped=skipped, updated=updated)
