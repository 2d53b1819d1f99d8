"""Importing predictions.csv: humans' answers as rows, models' packed by dataset."""

import tempfile
from pathlib import Path

from labeler.core.study.entities import ParticipantKind, Role
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.guesses import ModelPredictionImport
from labeler.store.exchange.human_answers import HumanAnswerImport, check_prediction
from labeler.store.exchange.lookups import load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore, Transaction


def import_predictions(
    store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the predictions that the study hasn't, and make their human givers labelers."""
    with tempfile.TemporaryDirectory(prefix="labeler-import-") as folder:
        importer = _Importer(store, transaction, source, Path(folder))
        for chunk in source.chunks():
            importer.take(chunk)
        return importer.finish()


class _Importer:
    def __init__(
        self, store: StudyStore, transaction: Transaction, source: CsvSource, folder: Path
    ) -> None:
        self._transaction = transaction
        self._source = source
        self._names = load_lookups(transaction.session)
        self._humans = HumanAnswerImport(store, transaction, source, self._names)
        self._models = ModelPredictionImport(store, transaction, source, self._names, folder)
        self._people: set[str] = set()
        self._read = 0

    def take(self, chunk: RowChunk) -> None:
        self._read += len(chunk)
        people = self._people_in(chunk)
        if not people:
            self._models.add(chunk)
            return
        self._people |= people
        human = [code in people for code in chunk["participant"]]
        self._humans.add(chunk.where(human))
        if not all(human):
            self._models.add(chunk.where([not h for h in human]))

    def finish(self) -> FileImport:
        skipped = self._humans.finish() + self._models.finish()
        add_role(self._transaction, self._people, Role.LABELER)
        added = self._read - skipped
        name = self._source.file.name
        return FileImport(file=name, read=self._read, added=added, skipped=skipped)

    def _people_in(self, chunk: RowChunk) -> set[str]:
        codes = set(chunk["participant"])
        if not codes <= self._names.participants.keys():
            self._source.raise_first_fault(
                chunk.places[0], lambda f: check_prediction(f, self._names)
            )
        kinds = self._names.participants
        return {code for code in codes if kinds[code].kind is ParticipantKind.HUMAN}
