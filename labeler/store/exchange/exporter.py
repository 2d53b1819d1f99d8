"""Export a study in the exchange format, sorted so that equal studies give equal bytes."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from labeler.core.study.exchange_format import (
    ADJUDICATIONS,
    CANDIDATES,
    DATASETS,
    ERROR_REVIEWS,
    EXCHANGE_FILES,
    FLAGS,
    INTERVALS,
    MULTILABELS,
    NEAR_DUPLICATES,
    PARTICIPANTS,
    PREDICTIONS,
    REPEATS,
    REVIEWS,
    ExchangeFile,
)
from labeler.store.engine.atomic_folder import replace_folder_atomically
from labeler.store.exchange.crowd_files import CROWD_TABLES
from labeler.store.exchange.csv_reader import FileProgress
from labeler.store.exchange.curation_files.built import BUILT_FILES
from labeler.store.exchange.curation_files.candidates import CANDIDATES_FILE
from labeler.store.exchange.curation_files.near_duplicates import near_duplicate_export_rows
from labeler.store.exchange.decisions import adjudication_export_rows, flag_export_rows
from labeler.store.exchange.error_reviews import error_review_export_rows
from labeler.store.exchange.export_rows import (
    ExportRow,
    dataset_export_rows,
    multilabel_export_rows,
    participant_export_rows,
    prediction_count,
    prediction_export_rows,
    review_export_rows,
)
from labeler.store.exchange.files import SPREADSHEET_MARKER
from labeler.store.exchange.intervals import interval_export_rows
from labeler.store.exchange.parquet.library import PARQUET_SUFFIX
from labeler.store.exchange.parquet.writer import write_parquet
from labeler.store.exchange.repeats import repeat_export_rows
from labeler.store.exchange.summary import ExportSummary, FileExport
from labeler.store.study_store import StudyStore, Transaction


class _UnixLineEndings:
    """Ends lines with a line feed only.

    The CSV writer quotes a value with a single carriage return, which a reader would take as the
    end of the row, only if its line terminator contains one.
    """

    terminator = "\r\n"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        self._stream.write(line.removesuffix(self.terminator))
        self._stream.write("\n")


# A spreadsheet takes a text that starts with one of these as a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
SPREADSHEET_NOTE = (
    "Texts that start with =, +, -, @, a tab or a carriage return have an apostrophe before them, "
    "so that a spreadsheet doesn't run them as formulas. These files can't be imported again.\n"
)


def safe_for_spreadsheets(row: Sequence[object]) -> list[object]:
    """Prefix texts that a spreadsheet would run as formulas with an apostrophe."""
    return [
        f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell
        for cell in row
    ]


def write_table(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a CSV file and return its number of rows without the header."""
    count = 0

    def counted() -> Iterator[Sequence[object]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    with file.open("x", encoding="utf-8", newline="") as stream:
        writer = csv.writer(_UnixLineEndings(stream), lineterminator=_UnixLineEndings.terminator)
        writer.writerow(header)
        writer.writerows(counted())
        stream.flush()
        os.fsync(stream.fileno())
    return count


def export_exchange(
    store: StudyStore,
    folder: Path,
    *,
    names: bool = False,
    history: bool = False,
    for_spreadsheets: bool = False,
    parquet: bool = False,
    also: Callable[[Path, tuple[FileExport, ...]], Iterable[FileExport]] = lambda _to, _files: (),
    progress: FileProgress = lambda _file, _done, _total: None,
) -> ExportSummary:
    """Write all files, as CSV or as Parquet; names and earlier revisions only on request.

    `also` writes further files to the folder, which appear together with the others.

    Files for spreadsheets are marked, because they differ from the study and can't be imported.

    `progress` counts participants in predictions.csv; other files report when they are done.
    """
    with replace_folder_atomically(folder) as temporary, store.read() as transaction:
        files = []
        contents = _contents(transaction, names=names, history=history, progress=progress)
        for file, lines in contents.items():
            columns = (*file.exported, *file.optional) if names else file.exported
            rows = map(safe_for_spreadsheets, lines) if for_spreadsheets else lines
            name = _written_name(file, parquet=parquet)
            if parquet:
                count = write_parquet(temporary / name, file, columns, rows)
            else:
                count = write_table(temporary / name, columns, rows)
            files.append(FileExport(name, count))
            progress(file.name, 1, 1)
        files.extend(also(temporary, tuple(files)))
        if for_spreadsheets:
            (temporary / SPREADSHEET_MARKER).write_text(SPREADSHEET_NOTE, encoding="utf-8")
    if not for_spreadsheets:
        (folder / SPREADSHEET_MARKER).unlink(missing_ok=True)
    return ExportSummary(tuple(files))


def _written_name(file: ExchangeFile, *, parquet: bool) -> str:
    return f"{file.stem}{PARQUET_SUFFIX}" if parquet else file.name


def export_counts(
    store: StudyStore,
    *,
    history: bool = False,
    parquet: bool = False,
    progress: FileProgress = lambda _file, _done, _total: None,
) -> tuple[FileExport, ...]:
    """Return how many rows each file would have."""
    with store.read() as transaction:
        session, counts = transaction.session, []
        contents = _contents(transaction, names=False, history=history, progress=progress)
        for file, lines in contents.items():
            is_long = file is PREDICTIONS
            rows = (
                prediction_count(session, history=history) if is_long else sum(1 for _line in lines)
            )
            counts.append(FileExport(_written_name(file, parquet=parquet), rows))
            progress(file.name, 1, 1)
    return tuple(counts)


def exchange_rows(
    transaction: Transaction, file: ExchangeFile, *, history: bool = False
) -> Iterable[ExportRow]:
    """Return the rows of one file, in the order of its exported columns."""
    contents = _contents(
        transaction, names=False, history=history, progress=lambda _file, _done, _all: None
    )
    return contents[file]


def _contents(
    transaction: Transaction, *, names: bool, history: bool, progress: FileProgress
) -> dict[ExchangeFile, Iterable[ExportRow]]:
    session = transaction.session
    contents: dict[ExchangeFile, Iterable[ExportRow]] = {
        DATASETS: dataset_export_rows(session),
        PARTICIPANTS: participant_export_rows(session, names=names),
        PREDICTIONS: prediction_export_rows(
            session, partial(progress, PREDICTIONS.name), history=history
        ),
        REVIEWS: review_export_rows(session, history=history),
        MULTILABELS: multilabel_export_rows(session),
        ADJUDICATIONS: adjudication_export_rows(session),
        FLAGS: flag_export_rows(session),
        INTERVALS: interval_export_rows(session),
        REPEATS: repeat_export_rows(session, history=history),
        ERROR_REVIEWS: error_review_export_rows(session),
        CANDIDATES: CANDIDATES_FILE.export(transaction),
        **{table.file: table.export(session) for table in CROWD_TABLES},
        **{built.file: built.export(transaction) for built in BUILT_FILES},
        NEAR_DUPLICATES: near_duplicate_export_rows(session),
    }
    assert tuple(contents) == EXCHANGE_FILES
    return contents
