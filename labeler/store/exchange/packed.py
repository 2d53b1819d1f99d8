"""Models' packed predictions in the database: read for going on with them, and written."""

from sqlalchemy.orm import Session

from labeler.store.exchange.lookups import ImageSlots
from labeler.store.exchange.prediction_arrays import (
    PredictionArrays,
    PredictionArraysKey,
    empty_prediction_arrays,
    prediction_arrays_from,
)
from labeler.store.models.packing import PackedBytes, PackedPredictions, pack, unpack
from labeler.store.schema import ModelPredictionsRow


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
