"""Models' predictions while they are imported: arrays in memory, the idle ones on disk."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy.orm import Session

from labeler.store.exchange.lookups import ImageSlots
from labeler.store.models.predictions import NO_LABEL, PackedBytes, PackedPredictions, pack, unpack
from labeler.store.schema import ModelPredictionsRow

IntArray = npt.NDArray[np.int64]


class PredictionArraysKey(NamedTuple):
    """The participant's and the dataset's number."""

    participant_id: int
    dataset_id: int


class PredictionColumns(NamedTuple):
    """Some predictions of one model on one dataset, as columns; ranks count from 0 here."""

    ordinals: IntArray
    ranks: IntArray
    labels: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float64]


class RepeatedPrediction(Exception):
    """Some image and rank was given before by the same file."""


class ConflictingPrediction(Exception):
    """A guess contradicts the study: which of the given ones, in which column, by what."""

    def __init__(self, index: int, column: str, stored: float) -> None:
        super().__init__(column)
        self.index = index
        self.column = column
        self.stored = stored


@dataclass(slots=True)
class PredictionArrays:
    """A model's predictions on a dataset by image ordinal and rank; `given` marks the file's."""

    labels: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float64]
    given: npt.NDArray[np.bool_]
    changed: bool = False

    @property
    def nbytes(self) -> int:
        return self.labels.nbytes + self.scores.nbytes + self.given.nbytes

    def put(self, guesses: PredictionColumns) -> int:
        """Enter guesses that the sheet hasn't; how many it had already."""
        self._widen(int(guesses.ranks.max()) + 1)
        cells = guesses.ordinals * self.labels.shape[1] + guesses.ranks
        given = self.given.reshape(-1)
        if given[cells].any() or len(np.unique(cells)) < len(cells):
            raise RepeatedPrediction
        given[cells] = True
        known = self.labels.reshape(-1)[cells] != NO_LABEL
        self._compare(guesses, cells, known)
        fresh = ~known
        self.labels.reshape(-1)[cells[fresh]] = guesses.labels[fresh]
        self.scores.reshape(-1)[cells[fresh]] = guesses.scores[fresh]
        self.changed = self.changed or bool(fresh.any())
        return int(np.count_nonzero(known))

    def without_first_rank(self) -> int | None:
        """The ordinal of an image that has further guesses but no prediction."""
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
    """All sheets of an import: the last used ones within `limit` bytes, the others in a folder."""

    def __init__(
        self, fetch: Callable[[PredictionArraysKey], PredictionArrays], folder: Path, *, limit: int
    ) -> None:
        self._fetch = fetch
        self._folder = folder
        self._limit = limit
        self._held: OrderedDict[PredictionArraysKey, PredictionArrays] = OrderedDict()
        self._spilled: dict[PredictionArraysKey, Path] = {}
        self._used = 0

    def put(self, key: PredictionArraysKey, guesses: PredictionColumns) -> int:
        """Enter guesses into a sheet; how many it had already."""
        sheet = self._take(key)
        known = sheet.put(guesses)
        self._held[key] = sheet
        self._used += sheet.nbytes
        self._spill()
        return known

    def drain(self) -> Iterator[tuple[PredictionArraysKey, PredictionArrays]]:
        """Give up every sheet in turn."""
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
            key, sheet = self._held.popitem(last=False)
            self._used -= sheet.nbytes
            file = self._folder / f"{key.participant_id}-{key.dataset_id}.npz"
            np.savez(
                file,
                labels=sheet.labels,
                scores=sheet.scores,
                given=sheet.given,
                changed=sheet.changed,
            )
            self._spilled[key] = file


def empty_prediction_arrays(images: int) -> PredictionArrays:
    """A sheet of one rank for a model that said nothing yet."""
    return PredictionArrays(
        labels=np.full((images, 1), NO_LABEL, np.uint16),
        scores=np.full((images, 1), np.nan),
        given=np.zeros((images, 1), np.bool_),
    )


def prediction_arrays_from(stored: PackedPredictions, images: int) -> PredictionArrays:
    """A sheet to go on with; images that were added since have no prediction in it yet."""
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
    """Scores as doubles; a 4-byte one becomes the double of its own shortest text."""
    if scores.dtype.itemsize == 8:
        return scores.astype(np.float64)
    return scores.astype(np.str_).astype(np.float64)


def _load(file: Path) -> PredictionArrays:
    with np.load(file) as arrays:
        sheet = PredictionArrays(
            arrays["labels"], arrays["scores"], arrays["given"], bool(arrays["changed"])
        )
    file.unlink()
    return sheet


class StoredPredictionArrays:
    def __init__(self, session: Session, images: ImageSlots, now: str) -> None:
        self._session = session
        self._images = images
        self._now = now

    def fetch(self, key: PredictionArraysKey) -> PredictionArrays:
        """What the study has of a model on a dataset, as a sheet for all its images."""
        images = self._images.image_count(key.dataset_id)
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            return empty_prediction_arrays(images)
        sheet = prediction_arrays_from(unpack_row(row), images)
        self._session.expunge(row)
        return sheet

    def write(self, key: PredictionArraysKey, sheet: PredictionArrays) -> None:
        packed = pack(sheet.predictions())
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            participant_id, dataset_id = key
            row = ModelPredictionsRow(participant_id=participant_id, dataset_id=dataset_id)
            self._session.add(row)
        row.images, row.ranks = packed.images, packed.ranks
        row.labels, row.scores, row.score_bytes = packed.labels, packed.scores, packed.score_bytes
        row.made_at = self._now
        self._session.flush()
        # The bytes are in the database now; a thousand models must not stay in memory with them.
        self._session.expunge(row)


def unpack_row(row: ModelPredictionsRow) -> PackedPredictions:
    return unpack(PackedBytes(row.images, row.ranks, row.labels, row.scores, row.score_bytes))
