"""Import datasets.csv: evaluation datasets, their images, and problematic images."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import insert, select

from labeler.core.clock import stamp
from labeler.core.study.entities import DatasetRole, ProblemReason
from labeler.core.study.exchange_rows import (
    DatasetEntry,
    Fields,
    InvalidValueError,
    format_reasons,
    parse_dataset,
    parse_reasons,
    quoted,
)
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.datasets.image_files import resolve_image_path
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource
from labeler.store.exchange.lookups import problem_reasons_by_image
from labeler.store.exchange.record_import import import_summary
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import ClassRow, DatasetRow, ImageRow, ProblematicRow
from labeler.store.schema.row_ids import class_ids
from labeler.store.study_store import StudyStore, Transaction

# The number of images that are written together.
_BATCH_SIZE = 5000


class _StoredImage(NamedTuple):
    """A stored image, with values formatted as in the file."""

    target: str
    path: str
    problematic: str


@dataclass(slots=True)
class _DatasetInProgress:
    """A dataset to which rows are being added."""

    stored: dict[str, _StoredImage]
    lines: dict[str, int] = field(default_factory=dict)
    queued: list[DatasetEntry] = field(default_factory=list)


def import_datasets(store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the images that the study doesn't have; new datasets in order of appearance."""
    importer = _Importer(store, transaction, source)
    for record in source.records():
        importer.take(record)
    return importer.finish()


class _Importer:
    def __init__(self, store: StudyStore, transaction: Transaction, source: CsvSource) -> None:
        self._transaction = transaction
        self._source = source
        self._classes = class_ids(transaction.session)
        self._now = stamp(store.clock.utc())
        self._datasets: dict[str, _DatasetInProgress] = {}
        self._read = self._skipped = self._queued = 0
        self._new_reasons: dict[str, dict[str, tuple[ProblemReason, ...]]] = {}

    def take(self, record: CsvRecord) -> None:
        self._source.check(record, self._check)
        entry = parse_dataset(record.fields, self._classes)
        dataset = self._datasets[entry.dataset]
        first = dataset.lines.setdefault(entry.image, record.line)
        if first != record.line:
            raise self._source.repeated(record.line, first)
        self._read += 1
        stored = dataset.stored.get(entry.image)
        if stored is None:
            self._queue(dataset, entry)
        elif reasons := self._compare(record, stored):
            self._new_reasons.setdefault(entry.dataset, {})[entry.image] = reasons
        else:
            self._skipped += 1

    def finish(self) -> FileImport:
        self._write()
        for dataset, reasons in self._new_reasons.items():
            self._flag(dataset, reasons)
        updated = sum(map(len, self._new_reasons.values()))
        added = self._read - self._skipped
        return import_summary(self._source, read=self._read, added=added, updated=updated)

    def _check(self, fields: Fields) -> None:
        entry = parse_dataset(fields, self._classes)
        if entry.dataset not in self._datasets:
            self._datasets[entry.dataset] = self._open(entry.dataset)

    def _open(self, name: str) -> _DatasetInProgress:
        datasets = self._transaction.datasets
        found = datasets.find(name)
        if found is None:
            datasets.add(DatasetDefinition(name=name, role=DatasetRole.EVALUATION), complete=True)
            return _DatasetInProgress({})
        if found.role is not DatasetRole.EVALUATION:
            problem = (
                f"{quoted(name)} is a {found.role} dataset of the study, not an evaluation dataset."
            )
            raise InvalidValueError("dataset", problem)
        if not found.complete:
            problem = f"adding images to {quoted(name)} was interrupted; finish it first."
            raise InvalidValueError("dataset", problem)
        return _DatasetInProgress(self._stored(name))

    def _stored(self, dataset: str) -> dict[str, _StoredImage]:
        session = self._transaction.session
        reasons = problem_reasons_by_image(session, dataset)
        query = (
            select(ImageRow.id, ImageRow.name, ImageRow.path, DatasetRow.root, ClassRow.wnid)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ClassRow, ClassRow.id == ImageRow.target_id)
            .where(DatasetRow.name == dataset)
        )
        return {
            name: _StoredImage(
                target,
                resolve_image_path(root=root, name=name, path=path),
                format_reasons(reasons.get(image_id, ())),
            )
            for image_id, name, path, root, target in session.execute(query)
        }

    def _compare(self, record: CsvRecord, stored: _StoredImage) -> tuple[ProblemReason, ...]:
        """Return the reasons that an update adds; any other difference is an error.

        The paths of another machine differ and say nothing about the image. Its reasons are added
        to those of others, and don't replace them.
        """
        for column, known in stored._asdict().items():
            given = record.fields[column]
            if given == known or (column == "problematic" and _same_reasons(given, known)):
                continue
            if not self._source.updates or column == "target":
                raise self._source.differing(record, column, known)
        known_reasons = parse_reasons(stored.problematic)
        return tuple(
            reason
            for reason in parse_reasons(record.fields["problematic"])
            if reason not in known_reasons
        )

    def _queue(self, dataset: _DatasetInProgress, entry: DatasetEntry) -> None:
        dataset.queued.append(entry)
        self._queued += 1
        if self._queued == _BATCH_SIZE:
            self._write()

    def _write(self) -> None:
        for name, dataset in self._datasets.items():
            if dataset.queued:
                self._append(name, dataset.queued)
                dataset.queued.clear()
        self._queued = 0

    def _append(self, dataset: str, entries: list[DatasetEntry]) -> None:
        images = [NewImage(name=e.image, target=e.target, path=e.path) for e in entries]
        self._transaction.datasets.append(dataset, images)
        problematic = {e.image: e.problematic for e in entries if e.problematic}
        if problematic:
            self._flag(dataset, problematic)

    def _flag(self, dataset: str, problematic: dict[str, tuple[ProblemReason, ...]]) -> None:
        session = self._transaction.session
        query = (
            select(ImageRow.name, ImageRow.id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.name == dataset, ImageRow.name.in_(list(problematic)))
        )
        ids = dict(session.execute(query).all())
        rows = [
            {"image_id": ids[image], "reason": reason, "at": self._now}
            for image, reasons in problematic.items()
            for reason in reasons
        ]
        session.execute(insert(ProblematicRow), rows)


def _same_reasons(given: str, known: str) -> bool:
    return set(parse_reasons(given)) == set(parse_reasons(known))
