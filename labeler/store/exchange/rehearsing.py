"""A study to try an import on: nobody waits for it, and nothing of it is kept."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from labeler.core.errors import EnvironmentFault
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.engine.read_only_drive import sqlite_uri
from labeler.store.exchange.csv_reader import FileProgress
from labeler.store.exchange.importer import bulk_write_settings
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, Transaction

# After so many pages it is told how far the copy is, and asked whether to stop.
_PAGES_PER_STEP = 4096


@contextmanager
def scratch_transaction(store: StudyStore, progress: FileProgress) -> Iterator[Transaction]:
    """The study as it is now; others go on writing meanwhile, which isn't seen here."""
    with (
        _scratch_copy(store, progress) as tried,
        tried.read() as transaction,
        bulk_write_settings(transaction.session.connection()),
    ):
        yield transaction


@contextmanager
def _scratch_copy(store: StudyStore, progress: FileProgress) -> Iterator[StudyStore]:
    """A copy of the study's file, which has one writer at a time; a server's study as it is."""
    if not store.database.is_sqlite:
        yield store
        return
    with _temporary_folder() as place:
        folder = StudyFolder(Path(place))
        with store.database.translate_errors():
            _copy_database(store.folder.database, folder.database, progress)
        with StudyStore(folder, Database(sqlite_url(folder.database)), store.clock) as copy:
            yield copy


def _temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="labeler-preview-")
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentFault(f"A temporary folder can't be made: {reason}.") from error


def _copy_database(file: Path, copy: Path, progress: FileProgress) -> None:
    place = sqlite_uri(file, otherwise="ro")
    with closing(sqlite3.connect(place, uri=True)) as source, closing(sqlite3.connect(copy)) as to:
        (page_bytes,) = source.execute("PRAGMA page_size").fetchone()
        # Held from here on: the copy would begin anew with each of others' commits.
        source.execute("BEGIN")

        def tell(_status: int, remaining: int, total: int) -> None:
            progress(file.name, (total - remaining) * page_bytes, max(1, total * page_bytes))

        source.backup(to, pages=_PAGES_PER_STEP, progress=tell)
