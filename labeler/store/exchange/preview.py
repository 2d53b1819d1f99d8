"""What an import would bring: the import itself, where nothing of it is kept.

So a preview can't tell otherwise than the import that follows it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from labeler.core.errors import InputError
from labeler.core.study.entities import ParticipantKind
from labeler.core.study.exchange_format import DATASETS, ExchangeFile
from labeler.store.exchange.csv_reader import Chunk, Progress, Record, Source
from labeler.store.exchange.files import Files
from labeler.store.exchange.importer import import_files
from labeler.store.exchange.rehearsing import rehearsing
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore, Transaction

_ROWS_SHOWN = 5
_PARTICIPANT_COLUMNS = ("participant", "reviewer")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSeen:
    """A file with its first rows; `would` is None where faults ended the look before it."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    would: FileImport | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would come in. `datasets` has the rows of each, `people` and `models` codes.

    With faults nothing would come in at all.
    """

    files: tuple[FileSeen, ...]
    datasets: tuple[tuple[str, int], ...]
    people: tuple[str, ...]
    models: tuple[str, ...]
    faults: tuple[InputError, ...] = ()

    @property
    def added(self) -> int:
        return sum(seen.would.added for seen in self.files if seen.would is not None)


def preview_files(
    store: StudyStore,
    files: Files,
    *,
    progress: Progress,
    also: Callable[[Transaction], object] = lambda _transaction: None,
) -> Preview:
    """Rehearse the import and look at what came of it; `also` belongs to the import."""
    looks: list[_Watched] = []

    def opened(path: Path, file: ExchangeFile, progress: Progress) -> Source:
        looks.append(_Watched(path, file, progress))
        return looks[-1]

    would: tuple[FileImport, ...] = ()
    people: dict[str, ParticipantKind] = {}
    faults: tuple[InputError, ...] = ()
    try:
        with rehearsing(store, progress) as transaction:
            would = import_files(store, transaction, files, progress=progress, opened=opened)
            also(transaction)
            people = {p.code: p.kind for p in transaction.participants.all()}
    except InputError as fault:
        faults = (fault, *fault.others)
    return _preview(looks, would, people, faults)


def _preview(
    looks: "list[_Watched]",
    would: tuple[FileImport, ...],
    kinds: dict[str, ParticipantKind],
    faults: tuple[InputError, ...],
) -> Preview:
    by_file = {imported.file: imported for imported in would}
    named = dict.fromkeys(code for look in looks for code in look.participants)
    datasets: Counter[str] = Counter()
    for look in looks:
        # A file without images names datasets that the study has: no row of it is an image.
        datasets.update(look.datasets if look.file is DATASETS else dict.fromkeys(look.datasets, 0))
    return Preview(
        files=tuple(look.seen(by_file.get(look.file.name)) for look in looks),
        datasets=tuple(datasets.items()),
        people=tuple(code for code in named if kinds.get(code) is ParticipantKind.HUMAN),
        models=tuple(code for code in named if kinds.get(code) is ParticipantKind.MODEL),
        faults=faults,
    )


@dataclass
class _Sight:
    datasets: Counter[str] = field(default_factory=Counter)
    participants: dict[str, None] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)


class _Watched(Source):
    """A file that remembers what passed while it was imported."""

    def __init__(self, path: Path, file: ExchangeFile, progress: Progress) -> None:
        super().__init__(path, file, progress)
        self._sight = _Sight(columns=file.columns)
        self._seen_to = 0

    @property
    def datasets(self) -> Counter[str]:
        return self._sight.datasets

    @property
    def participants(self) -> dict[str, None]:
        return self._sight.participants

    def chunks(self) -> Iterator[Chunk]:
        for chunk in super().chunks():
            self._keep(dict(chunk.columns))
            yield chunk

    def records(self) -> Iterator[Record]:
        for record in super().records():
            # Whoever looks for a fault reads the file once more.
            if record.line > self._seen_to:
                self._seen_to = record.line
                self._keep({column: (text,) for column, text in record.fields.items()})
            yield record

    def seen(self, would: FileImport | None) -> FileSeen:
        sight = self._sight
        rows = tuple(sight.rows)
        return FileSeen(file=self.file.name, columns=sight.columns, rows=rows, would=would)

    def _keep(self, columns: dict[str, tuple[str, ...]]) -> None:
        sight = self._sight
        sight.datasets.update(columns.get("dataset", ()))
        for column in _PARTICIPANT_COLUMNS:
            sight.participants.update(dict.fromkeys(columns.get(column, ())))
        missing = _ROWS_SHOWN - len(sight.rows)
        if missing > 0:
            sight.columns = tuple(columns)
            sight.rows.extend(islice(zip(*columns.values(), strict=True), missing))
