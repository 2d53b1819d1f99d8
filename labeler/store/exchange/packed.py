"""Models' packed predictions in the database: read for going on with them, and written."""

from sqlalchemy.orm import Session

from labeler.store.exchange.lookups import KnownImages
from labeler.store.exchange.prediction_arrays import Sheet, SheetKey, empty_sheet, sheet_of
from labeler.store.models.packing import PackedBytes, PackedPredictions, pack, unpack
from labeler.store.schema import ModelPredictionsRow


class PackedRows:
    def __init__(self, session: Session, images: KnownImages, now: str) -> None:
        self._session = session
        self._images = images
        self._now = now

    def fetch(self, key: SheetKey) -> Sheet:
        """What the study has of a model on a dataset, as a sheet for all its images."""
        images = self._images.image_count(key.dataset_id)
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            return empty_sheet(images)
        sheet = sheet_of(unpacked(row), images)
        self._session.expunge(row)
        return sheet

    def write(self, key: SheetKey, sheet: Sheet) -> None:
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


def unpacked(row: ModelPredictionsRow) -> PackedPredictions:
    return unpack(PackedBytes(row.images, row.ranks, row.labels, row.scores, row.score_bytes))
