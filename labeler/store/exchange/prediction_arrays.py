"""Models' predictions during an import: arrays in memory, unused ones on disk."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy.orm import Session

from labeler.store.exchange.lookups import ImageSlots
from labeler.store.exchange.row_merge import MergeCounts
from labeler.store.models.predictions import NO_LABEL, PackedPredictions, pack, unpack_row
from labeler.store.schema import ModelPredictionsRow

IntArray = npt.NDArray[np.int64]


class PredictionArraysKey(NamedTuple):
    """The ids of the participant and the dataset."""

    participant_id: int
    dataset_id: int


class PredictionColumns(NamedTuple):
    """Predictions of one model on one dataset as columns; ranks start at 0 here."""

    ordinals: IntArray
    ranks: IntArray
    labels: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float64]


class RepeatedPrediction(Exception):
    """The file contains the same image and rank twice."""


class ConflictingPrediction(Exception):
    """A guess contradicts the study: its index, the column, and the stored value."""

    def __init__(self, index: int, column: str, stored: float) -> None:
        super().__init__(column)
        self.index = index
        self.column = column
        self.stored = stored


@dataclass(slots=True)
class PredictionArrays:
    """A model's predictions by image ordinal and rank; `given` marks those of the file."""

    labels: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float64]
    given: npt.NDArray[np.bool_]
    changed: bool = False

    @property
    def nbytes(self) -> int:
        return self.labels.nbytes + self.scores.nbytes + self.given.nbytes

    def put(self, guesses: PredictionColumns, *, updates: bool = False) -> MergeCounts:
        """Add new guesses, with `updates` also other ones, and count those that were known.

        A model's guesses have no revisions: it would give the same ones again.
        """
        self._widen(int(guesses.ranks.max()) + 1)
        cells = guesses.ordinals * self.labels.shape[1] + guesses.ranks
        given = self.given.reshape(-1)
        before = np.count_nonzero(given)
        given[cells] = True
        if np.count_nonzero(given) < before + len(cells):
            raise RepeatedPrediction
        present = self.labels.reshape(-1)[cells] != NO_LABEL
        known = present & self._same(guesses, cells) if updates else present
        self._compare(guesses, cells, known)
        fresh = ~known
        self.labels.reshape(-1)[cells[fresh]] = guesses.labels[fresh]
        self.scores.reshape(-1)[cells[fresh]] = guesses.scores[fresh]
        self.changed = self.changed or bool(fresh.any())
        return MergeCounts(int(np.count_nonzero(known)), int(np.count_nonzero(present & fresh)))

    def _same(self, guesses: PredictionColumns, cells: IntArray) -> npt.NDArray[np.bool_]:
        same_label = self.labels.reshape(-1)[cells] == guesses.labels
        scores = self.scores.reshape(-1)[cells]
        neither = np.isnan(scores) & np.isnan(guesses.scores)
        same: npt.NDArray[np.bool_] = same_label & ((scores == guesses.scores) | neither)
        return same

    def without_first_rank(self) -> int | None:
        """Return the ordinal of an image with further guesses but no first one, or None."""
        missing = (self.labels[:, 0] == NO_LABEL) & (self.labels != NO_LABEL).any(axis=1)
        return int(np.argmax(missing)) if missing.any() else None

    def predictions(self) -> PackedPredictions:
        scored = not np.isnan(self.scores).all()
        return PackedPredictions(self.labels, self.scores if scored else None)

    def _widen(self, ranks: int) -> None:
        more = ((0, 0), (0, ranks - self.labels.shape[1]))
        if more[1][1] > 0:
            self.labels = np.pad(self.labels, more, constant_values=NO_LABEL)
            self.scores = np.pad(self.scores, more, constant_values=np.nan)
            self.given = np.pad(self.given, more)

    def _compare(
        self, guesses: PredictionColumns, cells: IntArray, known: npt.NDArray[np.bool_]
    ) -> None:
        if not known.any():
            return
        labels = self.labels.reshape(-1)[cells]
        scores = self.scores.reshape(-1)[cells]
        same_score = (scores == guesses.scores) | (np.isnan(scores) & np.isnan(guesses.scores))
        for column, same, stored in (
            ("label", labels == guesses.labels, labels),
            ("score", same_score, scores),
        ):
            wrong = np.flatnonzero(known & ~same)
            if wrong.size:
                raise ConflictingPrediction(int(wrong[0]), column, float(stored[wrong[0]]))


class PredictionArraysCache:
    """All arrays of an import: the last used ones within `limit` bytes, the others on disk."""

    def __init__(
        self, fetch: Callable[[PredictionArraysKey], PredictionArrays], folder: Path, *, limit: int
    ) -> None:
        self._fetch = fetch
        self._folder = folder
        self._limit = limit
        self._held: OrderedDict[PredictionArraysKey, PredictionArrays] = OrderedDict()
        self._spilled: dict[PredictionArraysKey, Path] = {}
        self._used = 0

    def put(
        self, key: PredictionArraysKey, guesses: PredictionColumns, *, updates: bool = False
    ) -> MergeCounts:
        """Add guesses to the arrays and count those that were already known."""
        arrays = self._take(key)
        known = arrays.put(guesses, updates=updates)
        self._held[key] = arrays
        self._used += arrays.nbytes
        self._spill()
        return known

    def drain(self) -> Iterator[tuple[PredictionArraysKey, PredictionArrays]]:
        """Remove and yield all arrays."""
        for key in sorted([*self._held, *self._spilled]):
            yield key, self._take(key)

    def _take(self, key: PredictionArraysKey) -> PredictionArrays:
        if key in self._held:
            self._used -= self._held[key].nbytes
            return self._held.pop(key)
        if key in self._spilled:
            return _load(self._spilled.pop(key))
        return self._fetch(key)

    def _spill(self) -> None:
        while self._used > self._limit and len(self._held) > 1:
            key, arrays = self._held.popitem(last=False)
            self._used -= arrays.nbytes
            file = self._folder / f"{key.participant_id}-{key.dataset_id}.npz"
            np.savez(
                file,
                labels=arrays.labels,
                scores=arrays.scores,
                given=arrays.given,
                changed=arrays.changed,
            )
            self._spilled[key] = file


def empty_prediction_arrays(images: int) -> PredictionArrays:
    """Return arrays with one rank for a model without predictions."""
    return PredictionArrays(
        labels=np.full((images, 1), NO_LABEL, np.uint16),
        scores=np.full((images, 1), np.nan),
        given=np.zeros((images, 1), np.bool_),
    )


def prediction_arrays_from(stored: PackedPredictions, images: int) -> PredictionArrays:
    """Return arrays to continue with; images added since have no prediction yet."""
    more = ((0, images - stored.images), (0, 0))
    scores = np.full(stored.labels.shape, np.nan)
    if stored.scores is not None:
        scores = exact_scores(stored.scores)
    return PredictionArrays(
        labels=np.pad(stored.labels, more, constant_values=NO_LABEL),
        scores=np.pad(scores, more, constant_values=np.nan),
        given=np.zeros((images, stored.ranks), np.bool_),
    )


def exact_scores(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Return scores as doubles; a 4-byte score becomes the double of its shortest text."""
    if scores.dtype.itemsize == 8:
        return scores.astype(np.float64)
    return scores.astype(np.str_).astype(np.float64)


def _load(file: Path) -> PredictionArrays:
    with np.load(file) as file_arrays:
        arrays = PredictionArrays(
            file_arrays["labels"],
            file_arrays["scores"],
            file_arrays["given"],
            bool(file_arrays["changed"]),
        )
    file.unlink()
    return arrays


class StoredPredictionArrays:
    def __init__(self, session: Session, images: ImageSlots, now: str) -> None:
        self._session = session
        self._images = images
        self._now = now

    def fetch(self, key: PredictionArraysKey) -> PredictionArrays:
        """Return the stored predictions of a model on a dataset, for all its images."""
        images = self._images.image_count(key.dataset_id)
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            return empty_prediction_arrays(images)
        arrays = prediction_arrays_from(unpack_row(row), images)
        self._session.expunge(row)
        return arrays

    def write(self, key: PredictionArraysKey, arrays: PredictionArrays) -> None:
        packed = pack(arrays.predictions())
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            participant_id, dataset_id = key
            row = ModelPredictionsRow(participant_id=participant_id, dataset_id=dataset_id)
            self._session.add(row)
        row.images, row.ranks = packed.images, packed.ranks
        row.labels, row.scores, row.score_bytes = packed.labels, packed.scores, packed.score_bytes
        row.made_at = self._now
        self._session.flush()
        # Written to the database now; a thousand models must not stay in memory.
        self._session.expunge(row)
