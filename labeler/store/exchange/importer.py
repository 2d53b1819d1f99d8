"""Importing a folder of the exchange format: all of it, or nothing at all."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from labeler.core.study.exchange_format import (
    DATASETS,
    EXCHANGE_FILES,
    MULTILABELS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
    ExchangeFile,
)
from labeler.store.exchange.csv_reader import Progress, Source
from labeler.store.exchange.datasets import import_datasets
from labeler.store.exchange.files import Files, find_in_folder
from labeler.store.exchange.multilabels import import_multilabels
from labeler.store.exchange.participants import import_participants
from labeler.store.exchange.predictions import import_predictions
from labeler.store.exchange.reviews import import_reviews
from labeler.store.exchange.summary import FileImport, ImportSummary
from labeler.store.study_store import StudyStore, Transaction

# Kilobytes of the database's pages held in memory while rows pour in, and of rows while they are
# sorted: more would only be faster for files that fit into it.
_CACHE_KILOBYTES = 16_384
_USUAL_CACHE_KILOBYTES = 2_000

_Importer = Callable[[StudyStore, Transaction, Source], FileImport]
_IMPORTERS: dict[ExchangeFile, _Importer] = {
    DATASETS: import_datasets,
    PARTICIPANTS: import_participants,
    PREDICTIONS: import_predictions,
    REVIEWS: import_reviews,
    MULTILABELS: import_multilabels,
}
assert tuple(_IMPORTERS) == EXCHANGE_FILES


def import_exchange(
    store: StudyStore, folder: Path, *, progress: Progress = lambda _file, _done, _total: None
) -> ImportSummary:
    """Bring the folder's files into the study; `progress` counts bytes read of each file."""
    found = find_in_folder(folder)
    files = import_found(store, found.files, origin=folder, progress=progress)
    return ImportSummary(files, found.ignored)


def import_found(
    store: StudyStore, files: Files, *, origin: Path, progress: Progress
) -> tuple[FileImport, ...]:
    """Bring the files into the study, and tell its history where they came from."""
    with importing(store) as transaction:
        imported = import_files(store, transaction, files, progress=progress)
        record_import(transaction, origin, imported)
    return imported


@contextmanager
def importing(store: StudyStore) -> Iterator[Transaction]:
    """One transaction for everything that an import writes."""
    with store.write() as transaction, at_full_speed(transaction.session.connection()):
        yield transaction


@contextmanager
def at_full_speed(connection: Connection) -> Iterator[None]:
    """Let millions of rows pass without what holds them up."""
    with _larger_cache(connection), _without_collector():
        yield


def import_files(
    store: StudyStore,
    transaction: Transaction,
    files: Files,
    *,
    progress: Progress,
    opened: Callable[[Path, ExchangeFile, Progress], Source] = Source,
) -> tuple[FileImport, ...]:
    """Bring the files in, each after those that it may refer to."""
    return tuple(
        _import_file(store, transaction, opened(files[file], file, progress))
        for file in EXCHANGE_FILES
        if file in files
    )


def record_import(transaction: Transaction, source: Path, files: tuple[FileImport, ...]) -> None:
    """Tell the study's history what was imported."""
    counts = {f.file: {"added": f.added, "skipped": f.skipped} for f in files}
    transaction.audit.record("exchange files imported", folder=str(source), files=counts)


def _import_file(store: StudyStore, transaction: Transaction, source: Source) -> FileImport:
    imported = _IMPORTERS[source.file](store, transaction, source)
    source.tell_done()
    return imported


@contextmanager
def _without_collector() -> Iterator[None]:
    """Hold back the search for reference cycles: millions of rows have none, and it walks them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _larger_cache(connection: Connection) -> Iterator[None]:
    """Let SQLite keep more pages in a large import than its usual two megabytes of them."""
    if connection.dialect.name != "sqlite":
        yield
        return
    connection.exec_driver_sql(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size = -{_USUAL_CACHE_KILOBYTES}")
