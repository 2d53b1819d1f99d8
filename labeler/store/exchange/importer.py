"""Import a folder of the exchange format, completely or not at all."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

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
from labeler.store.exchange.crowd_files import CROWD_TABLES
from labeler.store.exchange.csv_reader import CsvSource, FileProgress
from labeler.store.exchange.curation_files.built import BUILT_FILES
from labeler.store.exchange.curation_files.candidates import CANDIDATES_FILE
from labeler.store.exchange.curation_files.near_duplicates import import_near_duplicates
from labeler.store.exchange.datasets import import_datasets
from labeler.store.exchange.decisions import import_adjudications, import_flags
from labeler.store.exchange.error_reviews import import_error_reviews
from labeler.store.exchange.files import ExchangePaths, find_in_folder, open_exchange_file
from labeler.store.exchange.intervals import import_intervals
from labeler.store.exchange.multilabels import import_multilabels
from labeler.store.exchange.participants import import_participants
from labeler.store.exchange.predictions import import_predictions
from labeler.store.exchange.repeats import import_repeats
from labeler.store.exchange.reviews import import_reviews
from labeler.store.exchange.summary import FileImport, ImportSummary
from labeler.store.study_store import StudyStore, Transaction

# The SQLite page cache in kilobytes during an import; more would only help files that fit.
_CACHE_KILOBYTES = 16_384
_DEFAULT_CACHE_KILOBYTES = 2_000

_Importer = Callable[[StudyStore, Transaction, CsvSource], FileImport]
_IMPORTERS: dict[ExchangeFile, _Importer] = {
    DATASETS: import_datasets,
    PARTICIPANTS: import_participants,
    PREDICTIONS: import_predictions,
    REVIEWS: import_reviews,
    MULTILABELS: import_multilabels,
    ADJUDICATIONS: import_adjudications,
    FLAGS: import_flags,
    INTERVALS: import_intervals,
    REPEATS: import_repeats,
    ERROR_REVIEWS: import_error_reviews,
    CANDIDATES: CANDIDATES_FILE.import_rows,
    **{table.file: table.import_rows for table in CROWD_TABLES},
    **{built.file: built.import_rows for built in BUILT_FILES},
    NEAR_DUPLICATES: import_near_duplicates,
}
assert tuple(_IMPORTERS) == EXCHANGE_FILES


def import_exchange(
    store: StudyStore,
    folder: Path,
    *,
    progress: FileProgress = lambda _file, _done, _total: None,
    updates: bool = False,
) -> ImportSummary:
    """Import the folder's files into the study; `progress` counts the bytes read of each file."""
    files = find_in_folder(folder)
    return ImportSummary(
        import_found_files(store, files, origin=folder, progress=progress, updates=updates)
    )


def import_found_files(
    store: StudyStore,
    files: ExchangePaths,
    *,
    origin: Path,
    progress: FileProgress,
    updates: bool = False,
) -> tuple[FileImport, ...]:
    """Import the files into the study and record their origin in its history."""
    with import_transaction(store) as transaction:
        imported = import_files(store, transaction, files, progress=progress, updates=updates)
        record_import(transaction, origin, imported)
    return imported


@contextmanager
def import_transaction(store: StudyStore) -> Iterator[Transaction]:
    """Open one transaction for everything that an import writes."""
    with store.write() as transaction, bulk_write_settings(transaction.session.connection()):
        yield transaction


@contextmanager
def bulk_write_settings(connection: Connection) -> Iterator[None]:
    """Configure the connection and the garbage collector for millions of rows."""
    with _larger_cache(connection), _gc_paused():
        yield


def import_files(
    store: StudyStore,
    transaction: Transaction,
    files: ExchangePaths,
    *,
    progress: FileProgress,
    opened: Callable[[Path, ExchangeFile, FileProgress], CsvSource] = open_exchange_file,
    updates: bool = False,
) -> tuple[FileImport, ...]:
    """Import the files, each after those that it may refer to.

    With `updates`, answers and verdicts that differ from the study's become their next revision.
    """
    imported = []
    for file in EXCHANGE_FILES:
        if file in files:
            source = opened(files[file], file, progress)
            source.updates = updates
            imported.append(_import_file(store, transaction, source))
    return tuple(imported)


def record_import(transaction: Transaction, source: Path, files: tuple[FileImport, ...]) -> None:
    """Record in the study's history what was imported."""
    counts = {
        f.file: {"added": f.added, "skipped": f.skipped}
        | ({"updated": f.updated} if f.updated else {})
        for f in files
    }
    transaction.audit.record("exchange files imported", folder=str(source), files=counts)


def _import_file(store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    imported = _IMPORTERS[source.file](store, transaction, source)
    source.report_done()
    return imported


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause garbage collection, which would traverse millions of rows without reference cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _larger_cache(connection: Connection) -> Iterator[None]:
    """Enlarge SQLite's page cache, which is two megabytes by default."""
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size = -{_DEFAULT_CACHE_KILOBYTES}")
