"""Import predictions.csv: humans' answers as rows, models' packed by dataset."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from labeler.core.clock import stamp
from labeler.core.errors import InputError
from labeler.core.study.entities import ParticipantKind, Role
from labeler.core.study.exchange_format import REVISION
from labeler.core.study.exchange_rows import (
    FIRST_REVISION,
    MODEL_VALUES,
    Fields,
    InvalidValueError,
    format_score,
    quoted,
)
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.human_answers import HumanAnswerImport, check_prediction
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.prediction_arrays import (
    ConflictingPrediction,
    IntArray,
    PredictionArraysCache,
    PredictionArraysKey,
    PredictionColumns,
    RepeatedPrediction,
    StoredPredictionArrays,
)
from labeler.store.exchange.record_import import import_summary
from labeler.store.exchange.row_merge import MergeCounts
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore, Transaction

# Bytes of arrays held in memory; enough for a hundred models on 50,000 images.
_CACHE_BYTES = 256 * 2**20

_MODEL_REVISIONS = {"", str(FIRST_REVISION)}


class _Columns(NamedTuple):
    """The rows of a chunk as database ids and numbers."""

    participants: IntArray
    slots: IntArray
    ranks: IntArray
    labels: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float64]


class ModelPredictionImport:
    """Imports the models' rows of the file."""

    def __init__(
        self,
        store: StudyStore,
        transaction: Transaction,
        source: CsvSource,
        names: ImportLookups,
        folder: Path,
    ) -> None:
        self._source = source
        self._names = names
        self._rank_numbers = {str(rank): rank for rank in range(1, len(names.classes) + 1)}
        self._rows = StoredPredictionArrays(
            transaction.session, names.images, stamp(store.clock.utc())
        )
        self._arrays = PredictionArraysCache(self._rows.fetch, folder, limit=_CACHE_BYTES)
        self._skipped = self._updated = 0

    def add(self, chunk: RowChunk) -> None:
        columns = self._columns(chunk)
        if columns is None:
            self._source.raise_first_fault(
                chunk.places[0], lambda f: check_prediction(f, self._names)
            )
        for key, rows in self._groups(columns):
            self._enter(key, rows, columns, chunk)

    def finish(self) -> MergeCounts:
        """Write the arrays that changed and return how many rows the study already had."""
        for key, arrays in self._arrays.drain():
            ordinal = arrays.without_first_rank()
            if ordinal is not None:
                raise self._without_first_rank(key, ordinal)
            if arrays.changed:
                self._rows.write(key, arrays)
        return MergeCounts(self._skipped, self._updated)

    def _columns(self, chunk: RowChunk) -> _Columns | None:
        """Return the chunk as numbers, or None if a value needs an exact check."""
        if not _of_models(chunk):
            return None
        try:
            columns = self._numbers(chunk)
        except (KeyError, ValueError):
            return None
        scores = columns.scores
        # Comparisons with NaN are false, so this checks that none is outside.
        if ((scores < 0) | (scores > 1)).any():
            return None
        return columns._replace(scores=np.abs(scores))

    def _numbers(self, chunk: RowChunk) -> _Columns:
        names = self._names
        return _Columns(
            chunk.mapped("participant", names.participant_ids),
            chunk.slots(names.images),
            chunk.mapped("rank", self._rank_numbers) - 1,
            chunk.mapped("label", names.classes).astype(np.uint16),
            chunk.numbers("score"),
        )

    def _groups(self, columns: _Columns) -> Iterator[tuple[PredictionArraysKey, IntArray]]:
        """Yield each model and dataset with its rows."""
        datasets = self._names.images.datasets[columns.slots]
        pairs = columns.participants << 32 | datasets
        order = np.argsort(pairs, kind="stable")
        starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        for rows in np.split(order, starts[1:]):
            first = rows[0]
            yield PredictionArraysKey(int(columns.participants[first]), int(datasets[first])), rows

    def _enter(
        self, key: PredictionArraysKey, rows: IntArray, columns: _Columns, chunk: RowChunk
    ) -> None:
        guesses = PredictionColumns(
            self._names.images.ordinals[columns.slots[rows]],
            columns.ranks[rows],
            columns.labels[rows],
            columns.scores[rows],
        )
        try:
            put = self._arrays.put(key, guesses, updates=self._source.updates)
            self._skipped += put.skipped
            self._updated += put.updated
        except RepeatedPrediction:
            repetition = self._source.repetition(chunk)
            assert repetition is not None
            raise repetition from None
        except ConflictingPrediction as differing:
            position = chunk.places[int(rows[differing.index])]
            raise self._contradiction(differing, position) from None

    def _contradiction(self, differing: ConflictingPrediction, position: int) -> InputError:
        record = self._source.at(position)
        if differing.column == "label":
            stored = self._names.wnid(int(differing.stored))
        else:
            stored = "" if np.isnan(differing.stored) else format_score(differing.stored)
        return self._source.differing(record, differing.column, stored)

    def _without_first_rank(self, key: PredictionArraysKey, ordinal: int) -> InputError:
        images = self._names.images
        slots = np.flatnonzero((images.datasets == key.dataset_id) & (images.ordinals == ordinal))
        participants = self._names.participant_ids

        def is_of_image(fields: Fields) -> bool:
            slot = images.slots[fields["dataset"]][fields["image"]]
            return slot == slots[0] and participants[fields["participant"]] == key.participant_id

        record = self._source.find(is_of_image)
        model, image = quoted(record.fields["participant"]), quoted(record.fields["image"])
        problem = f"rank {quoted(record.fields['rank'])} without rank 1 of {model} for {image}."
        return self._source.fault(record.line, "rank", problem)


def _of_models(chunk: RowChunk) -> bool:
    """Return whether the columns for humans have the values that they have for models."""

    def only(column: str, allowed: set[str]) -> bool:
        return column not in chunk.columns or chunk.distinct(column) <= allowed

    plain = all(only(column, {value}) for column, value in MODEL_VALUES.items())
    return plain and only(REVISION, _MODEL_REVISIONS)


def import_predictions(
    store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the predictions that the study doesn't have, and make people with answers labelers."""
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
        self._humans = HumanAnswerImport(transaction, source, self._names)
        self._models = ModelPredictionImport(store, transaction, source, self._names, folder)
        self._people: set[str] = set()
        built = transaction.built_datasets
        self._locked = frozenset({*built.locked(), *built.copies_of_pools()})
        self._read = 0

    def take(self, chunk: RowChunk) -> None:
        self._read += len(chunk)
        people = self._people_in(chunk)
        if not self._locked.isdisjoint(chunk["dataset"]):
            self._refuse_locked(chunk, people)
        if not people:
            self._models.add(chunk)
            return
        self._people |= people
        human = [code in people for code in chunk["participant"]]
        self._humans.add(chunk.where(human))
        if not all(human):
            self._models.add(chunk.where([not h for h in human]))

    def _refuse_locked(self, chunk: RowChunk, people: set[str]) -> None:
        """Refuse predictions of models on a built dataset that isn't final."""

        def check(fields: Fields) -> None:
            if fields["dataset"] in self._locked and fields["participant"] not in people:
                problem = (
                    f"{quoted(fields['dataset'])} is a built dataset that isn't final yet, or "
                    "has the images of a pool, so no model may be scored on it."
                )
                raise InvalidValueError("dataset", problem)

        pairs = zip(chunk["dataset"], chunk["participant"], strict=True)
        if any(name in self._locked and code not in people for name, code in pairs):
            self._source.raise_first_fault(chunk.places[0], check)

    def finish(self) -> FileImport:
        humans, models = self._humans.finish(), self._models.finish()
        add_role(self._transaction, self._people, Role.LABELER)
        return import_summary(
            self._source,
            read=self._read,
            added=self._read - humans.skipped - models.skipped,
            updated=humans.updated + models.updated,
        )

    def _people_in(self, chunk: RowChunk) -> set[str]:
        codes = chunk.distinct("participant")
        if not codes <= self._names.participants.keys():
            self._source.raise_first_fault(
                chunk.places[0], lambda f: check_prediction(f, self._names)
            )
        kinds = self._names.participants
        return {code for code in codes if kinds[code].kind is ParticipantKind.HUMAN}
