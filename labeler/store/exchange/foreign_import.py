"""Import a foreign file through the exchange format, completely or not at all."""

import csv
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from sqlalchemy import insert

from labeler.core.clock import stamp
from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.study.entities import ImageKey, ProblemReason
from labeler.core.study.exchange_format import ExchangeFile
from labeler.store.exchange.csv_reader import FileProgress
from labeler.store.exchange.exporter import write_table
from labeler.store.exchange.files import ExchangePaths
from labeler.store.exchange.importer import import_files, import_transaction, record_import
from labeler.store.exchange.lookups import problem_reasons_by_image
from labeler.store.exchange.preview import ImportPreview, preview_files
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import ProblematicRow
from labeler.store.schema.row_ids import image_ids
from labeler.store.study_store import StudyStore, Transaction

# The columns that identify a row for the reader of a message.
_IDENTIFYING = ("participant", "reviewer", "dataset", "image", "label", "rank")

RowsByFile = Mapping[ExchangeFile, Iterable[tuple[object, ...]]]


def import_foreign_rows(
    store: StudyStore,
    rows: RowsByFile,
    *,
    origin: Path,
    problematic: Mapping[ImageKey, ProblemReason],
    progress: FileProgress,
) -> tuple[FileImport, ...]:
    """Add the rows by the rules of the exchange format, and mark problematic images."""
    with _write_tables(rows) as folder:
        given = _table_paths(rows, folder)
        try:
            with import_transaction(store) as transaction:
                files = import_files(store, transaction, given, progress=progress)
                _mark_problematic(store, transaction, problematic)
                record_import(transaction, origin, files)
        except InputError as error:
            raise _describe_row(error, given, origin) from error
    return files


def preview_foreign_rows(
    store: StudyStore,
    rows: RowsByFile,
    *,
    origin: Path,
    problematic: Mapping[ImageKey, ProblemReason],
    progress: FileProgress,
) -> ImportPreview:
    """Preview the same import; nothing is stored."""
    with _write_tables(rows) as folder:
        given = _table_paths(rows, folder)
        preview = preview_files(
            store,
            given,
            progress=progress,
            also=lambda transaction: _mark_problematic(store, transaction, problematic),
        )
        faults = tuple(_describe_row(fault, given, origin) for fault in preview.faults)
    return replace(preview, faults=faults)


def _describe_row(error: InputError, given: ExchangePaths, origin: Path) -> InputError:
    """Describe the row of an error by its contents, because the user's file has no such line."""
    paths = (path for path in given.values() if path.name == Path(error.file).name)
    row = next((_row_at(path, error.line) for path in paths if error.line), {})
    about = ", ".join(f"{column} {row[column]}" for column in _IDENTIFYING if row.get(column))
    column = f", {error.column}" if error.column and error.column not in about else ""
    return InputError(f"{about or 'a row'}{column}: {error.problem}", file=origin)


def _row_at(path: Path, line: int) -> dict[str, str]:
    """Return the row of a written table that ends at the line."""
    with path.open(encoding="utf-8", newline="") as opened:
        rows = csv.DictReader(opened)
        return next((row for row in rows if rows.line_num >= line), {})


def _table_paths(rows: RowsByFile, folder: str) -> ExchangePaths:
    return {file: Path(folder, file.name) for file in rows}


def _write_tables(rows: RowsByFile) -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="labeler-import-")
    try:
        for file, lines in rows.items():
            write_table(Path(folder.name, file.name), file.columns, lines)
    except OSError as error:
        folder.cleanup()
        reason = error.strerror or str(error)
        raise EnvironmentFault(f"A temporary file can't be written: {reason}.") from error
    except BaseException:
        folder.cleanup()
        raise
    return folder


def _mark_problematic(
    store: StudyStore, transaction: Transaction, problematic: Mapping[ImageKey, ProblemReason]
) -> None:
    """Add the reasons that the images don't have yet."""
    session, now = transaction.session, stamp(store.clock.utc())
    rows = []
    for dataset in {key.dataset for key in problematic}:
        ids, known = image_ids(session, dataset), problem_reasons_by_image(session, dataset)
        for key, reason in problematic.items():
            if key.dataset == dataset and reason not in known.get(ids[key.image], ()):
                rows.append({"image_id": ids[key.image], "reason": reason, "at": now})
    if rows:
        session.execute(insert(ProblematicRow), rows)
