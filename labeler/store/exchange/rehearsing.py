"""A study to try an import on: nobody waits for it, and nothing of it is kept."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from labeler.core.errors import EnvironmentFault
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.engine.read_only_drive import place_of
from labeler.store.exchange.csv_reader import Progress
from labeler.store.exchange.importer import at_full_speed
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, Transaction

# After so many pages it is told how far the copy is, and asked whether to stop.
_PAGES_AT_ONCE = 4096


@contextmanager
def rehearsing(store: StudyStore, progress: Progress) -> Iterator[Transaction]:
    """The study as it is now; others go on writing meanwhile, which isn't seen here."""
    with (
        _aside(store, progress) as tried,
        tried.read() as transaction,
        at_full_speed(transaction.session.connection()),
    ):
        yield transaction


@contextmanager
def _aside(store: StudyStore, progress: Progress) -> Iterator[StudyStore]:
    """A copy of the study's file, which has one writer at a time; a server's study as it is."""
    if not store.database.is_sqlite:
        yield store
        return
    with _temporary_folder() as place:
        folder = StudyFolder(Path(place))
        with store.database.faults_told():
            _copy(store.folder.database, folder.database, progress)
        with StudyStore(folder, Database(sqlite_url(folder.database)), store.clock) as copy:
            yield copy


def _temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="labeler-preview-")
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentFault(f"A temporary folder can't be made: {reason}.") from error


def _copy(file: Path, copy: Path, progress: Progress) -> None:
    place = place_of(file, otherwise="ro")
    with closing(sqlite3.connect(place, uri=True)) as source, closing(sqlite3.connect(copy)) as to:
        (page_bytes,) = source.execute("PRAGMA page_size").fetchone()
        # Held from here on: the copy would begin anew with each of others' commits.
        source.execute("BEGIN")

        def tell(_status: int, remaining: int, total: int) -> None:
            progress(file.name, (total - remaining) * page_bytes, max(1, total * page_bytes))

        source.backup(to, pages=_PAGES_AT_ONCE, progress=tell)
