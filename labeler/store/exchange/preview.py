"""Preview an import by running it without storing anything.

The preview and the import that follows therefore can't differ.
"""

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.study.entities import ParticipantKind
from labeler.core.study.exchange_format import (
    BUILT_DATASETS,
    BUILT_IMAGES,
    CLASS_REVIEWS,
    DATASETS,
    ExchangeFile,
)
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.engine.sqlite_file import sqlite_uri
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource, FileProgress, RowChunk
from labeler.store.exchange.files import ExchangePaths, is_parquet
from labeler.store.exchange.importer import bulk_write_settings, import_files
from labeler.store.exchange.parquet.source import ParquetSource
from labeler.store.exchange.summary import FileImport
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, Transaction

# After this many pages progress is reported and cancellation is checked.
_PAGES_PER_STEP = 4096


@contextmanager
def scratch_transaction(store: StudyStore, progress: FileProgress) -> Iterator[Transaction]:
    """Open a transaction on the study as it is now; later changes by others aren't visible."""
    with (
        _scratch_copy(store, progress) as copy,
        copy.read() as transaction,
        bulk_write_settings(transaction.session.connection()),
    ):
        yield transaction


@contextmanager
def _scratch_copy(store: StudyStore, progress: FileProgress) -> Iterator[StudyStore]:
    """Yield a copy of a SQLite study, which allows one writer only; a server study itself."""
    if not store.database.is_sqlite:
        yield store
        return
    with _temporary_folder() as path:
        folder = StudyFolder(Path(path))
        with store.database.translate_errors():
            _copy_database(store.folder.database, folder.database, progress)
        with StudyStore(folder, Database(sqlite_url(folder.database)), store.clock) as copy:
            yield copy


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="labeler-preview-")
    except OSError as error:
        reason = error.strerror or str(error)
        raise EnvironmentFault(f"A temporary folder can't be made: {reason}.") from error


def _copy_database(file: Path, copy: Path, progress: FileProgress) -> None:
    uri = sqlite_uri(file, otherwise="ro")
    with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(copy)) as to:
        (page_bytes,) = source.execute("PRAGMA page_size").fetchone()
        # Keep one snapshot: otherwise the backup would restart with every commit of others.
        source.execute("BEGIN")

        def report(_status: int, remaining: int, total: int) -> None:
            progress(file.name, (total - remaining) * page_bytes, max(1, total * page_bytes))

        source.backup(to, pages=_PAGES_PER_STEP, progress=report)


_ROWS_SHOWN = 5
_PARTICIPANT_COLUMNS = ("participant", "reviewer", "by")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """A file with its first rows; `would` is None if an error stopped the import earlier."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    would: FileImport | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """What would be imported: rows per dataset, codes of people and models.

    With faults, nothing would be imported.
    """

    files: tuple[FilePreview, ...]
    datasets: tuple[tuple[str, int], ...]
    people: tuple[str, ...]
    models: tuple[str, ...]
    faults: tuple[InputError, ...] = ()

    @property
    def added(self) -> int:
        return sum(seen.would.added for seen in self.files if seen.would is not None)


def preview_files(
    store: StudyStore,
    files: ExchangePaths,
    *,
    progress: FileProgress,
    also: Callable[[Transaction], object] = lambda _transaction: None,
    updates: bool = False,
) -> ImportPreview:
    """Run the import on a copy and describe the result; `also` is an additional step of it."""
    sources: list[_RecordingSource] = []

    def opened(path: Path, file: ExchangeFile, progress: FileProgress) -> CsvSource:
        recording = _RecordingParquet if is_parquet(path) else _RecordingSource
        sources.append(recording(path, file, progress))
        return sources[-1]

    would: tuple[FileImport, ...] = ()
    people: dict[str, ParticipantKind] = {}
    faults: tuple[InputError, ...] = ()
    try:
        with scratch_transaction(store, progress) as transaction:
            would = import_files(
                store, transaction, files, progress=progress, opened=opened, updates=updates
            )
            also(transaction)
            people = {p.code: p.kind for p in transaction.participants.all()}
    except InputError as fault:
        faults = (fault, *fault.others)
    return _preview(sources, would, people, faults)


def _preview(
    sources: "list[_RecordingSource]",
    would: tuple[FileImport, ...],
    kinds: dict[str, ParticipantKind],
    faults: tuple[InputError, ...],
) -> ImportPreview:
    by_file = {imported.file: imported for imported in would}
    named = dict.fromkeys(code for source in sources for code in source.participants)
    datasets: Counter[str] = Counter()
    for source in sources:
        # Files without images mention existing datasets; their rows are not counted as images.
        datasets.update(
            source.datasets if source.file is DATASETS else dict.fromkeys(source.datasets, 0)
        )
    return ImportPreview(
        files=tuple(source.seen(by_file.get(source.file.name)) for source in sources),
        datasets=tuple(datasets.items()),
        people=tuple(code for code in named if kinds.get(code) is ParticipantKind.HUMAN),
        models=tuple(code for code in named if kinds.get(code) is ParticipantKind.MODEL),
        faults=faults,
    )


@dataclass
class _PreviewedContents:
    datasets: Counter[str] = field(default_factory=Counter)
    participants: dict[str, None] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)


class _RecordingSource(CsvSource):
    """A file that records what is read during the import."""

    def __init__(self, path: Path, file: ExchangeFile, progress: FileProgress) -> None:
        super().__init__(path, file, progress)
        self._previewed = _PreviewedContents(columns=file.columns)
        self._recorded_to = 0

    @property
    def datasets(self) -> Counter[str]:
        return self._previewed.datasets

    @property
    def participants(self) -> dict[str, None]:
        return self._previewed.participants

    def chunks(self) -> Iterator[RowChunk]:
        for chunk in super().chunks():
            self._record(dict(chunk.columns))
            yield chunk

    def records(self) -> Iterator[CsvRecord]:
        for record in super().records():
            # The file is read again to locate an error.
            if record.line > self._recorded_to:
                self._recorded_to = record.line
                self._record({column: (text,) for column, text in record.fields.items()})
            yield record

    def seen(self, would: FileImport | None) -> FilePreview:
        previewed = self._previewed
        rows = tuple(previewed.rows)
        return FilePreview(file=self.file.name, columns=previewed.columns, rows=rows, would=would)

    def _record(self, columns: dict[str, tuple[str, ...]]) -> None:
        previewed = self._previewed
        # The names of built datasets are not those of the study's datasets.
        if self.file not in (BUILT_DATASETS, BUILT_IMAGES, CLASS_REVIEWS):
            previewed.datasets.update(columns.get("dataset", ()))
        for column in _PARTICIPANT_COLUMNS:
            previewed.participants.update(dict.fromkeys(columns.get(column, ())))
        missing = _ROWS_SHOWN - len(previewed.rows)
        if missing > 0:
            previewed.columns = tuple(columns)
            previewed.rows.extend(islice(zip(*columns.values(), strict=True), missing))


class _RecordingParquet(_RecordingSource, ParquetSource):
    """The same for a Parquet file."""
