"""Import of files that are read row by row, because they are small."""

from collections.abc import Callable, Sequence

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


def rows_not_stored(
    source: CsvSource, records: Sequence[CsvRecord], stored: dict[Cells, Cells]
) -> list[CsvRecord]:
    """Return the rows that the study doesn't have; one that differs is an error.

    `stored` has the exported cells of each row by its key.
    """
    new = []
    for record in records:
        known = stored.get(record_key(source, record))
        if known is None:
            new.append(record)
            continue
        for column, text in zip(source.file.exported, known, strict=True):
            if record.fields.get(column, text) != text:
                raise source.differing(record, column, text)
    return new


def record_key(source: CsvSource, record: CsvRecord) -> Cells:
    """Return the values that identify a row; a file may have several revisions of one."""
    return tuple(record.fields[column] for column in source.file.key_in(record.fields))


def import_summary(source: CsvSource, *, read: int, added: int) -> FileImport:
    return FileImport(file=source.file.name, read=read, added=added, skipped=read - added)
