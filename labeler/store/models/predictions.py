"""Predictions of models: one packed row per model and dataset, with its provenance."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.datasets.image_files import image_folders, resolve_image_path
from labeler.store.engine.checksums import verified
from labeler.store.schema import DatasetRow, ImageRow, ModelPredictionsRow, ParticipantRow

Labels = npt.NDArray[np.uint16]
Scores = npt.NDArray[np.floating]

NO_LABEL = 0xFFFF
_LABEL_TYPE = np.dtype("<u2")


@dataclass(frozen=True, slots=True)
class PackedPredictions:
    """Class indices and scores by image ordinal and rank; `scores` is None if there are none."""

    labels: Labels
    scores: Scores | None

    @property
    def ranks(self) -> int:
        return int(self.labels.shape[1])

    @property
    def images(self) -> int:
        return int(self.labels.shape[0])


LABELS_COLUMN = "model_predictions.labels"
SCORES_COLUMN = "model_predictions.scores"


@dataclass(frozen=True, slots=True)
class PackedBytes:
    """Packed predictions as stored in the database."""

    images: int
    ranks: int
    labels: bytes
    scores: bytes | None
    score_bytes: int


def pack(predictions: PackedPredictions) -> PackedBytes:
    scores = predictions.scores
    width = 8 if scores is None else scores.dtype.itemsize
    return PackedBytes(
        images=predictions.images,
        ranks=predictions.ranks,
        labels=predictions.labels.astype(_LABEL_TYPE).tobytes(),
        scores=None if scores is None else scores.astype(f"<f{width}").tobytes(),
        score_bytes=width,
    )


def unpack(packed: PackedBytes) -> PackedPredictions:
    shape = (packed.images, packed.ranks)
    labels = np.frombuffer(packed.labels, _LABEL_TYPE).reshape(shape)
    scores = None
    if packed.scores is not None:
        scores = np.frombuffer(packed.scores, f"<f{packed.score_bytes}").reshape(shape)
    return PackedPredictions(labels, scores)


@dataclass(frozen=True, slots=True, eq=False)
class StoredPredictions:
    """A model's predictions on a dataset; `provenance` is empty for imported ones."""

    model: str
    dataset: str
    predictions: PackedPredictions
    provenance: Mapping[str, Any]

    @property
    def first_labels(self) -> list[int]:
        """The class index of each image's prediction, by ordinal; `NO_LABEL` if missing."""
        return [int(label) for label in self.predictions.labels[:, 0]]

    @property
    def answered(self) -> int:
        """The number of images with a prediction."""
        return int(np.count_nonzero(self.predictions.labels[:, 0] != NO_LABEL))


@dataclass(frozen=True, slots=True)
class TargetedImage:
    """An image by ordinal with its target; `path` is empty without a file."""

    ordinal: int
    name: str
    path: str
    target: int
    content_hash: bytes | None


class ModelPredictions:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def find(self, model: str, dataset: str) -> StoredPredictions | None:
        query = self._query().where(ParticipantRow.code == model, DatasetRow.name == dataset)
        found = self._session.execute(query).one_or_none()
        return None if found is None else _stored_predictions(*found)

    def all(self) -> list[StoredPredictions]:
        """Return all predictions by model and dataset, in the order they were added."""
        query = self._query().order_by(ParticipantRow.id, DatasetRow.id)
        return [_stored_predictions(*found) for found in self._session.execute(query)]

    def put(
        self,
        model: str,
        dataset: str,
        predictions: PackedPredictions,
        provenance: Mapping[str, Any],
    ) -> None:
        """Store a model's predictions on a dataset, replacing earlier ones."""
        key = (self._participant_id(model), self._dataset(dataset).id)
        row = self._session.get(ModelPredictionsRow, key)
        if row is None:
            row = ModelPredictionsRow(participant_id=key[0], dataset_id=key[1])
            self._session.add(row)
        packed = pack(predictions)
        row.images, row.ranks = packed.images, packed.ranks
        row.labels, row.scores, row.score_bytes = packed.labels, packed.scores, packed.score_bytes
        row.provenance = json.dumps(provenance, ensure_ascii=False, sort_keys=True)
        row.made_at = stamp(self._clock.utc())
        self._session.flush()

    def images(self, dataset: str) -> list[TargetedImage]:
        """Return the dataset's images by ordinal, the order of packed predictions."""
        row = self._dataset(dataset)
        query = (
            select(
                ImageRow.ordinal,
                ImageRow.name,
                ImageRow.path,
                ImageRow.target_id,
                ImageRow.content_hash,
            )
            .where(ImageRow.dataset_id == row.id)
            .order_by(ImageRow.ordinal)
        )
        folder = image_folders(self._session).get(dataset)
        return [
            TargetedImage(
                ordinal,
                name,
                resolve_image_path(root=row.root, name=name, path=path, folder=folder),
                target,
                content_hash,
            )
            for ordinal, name, path, target, content_hash in self._session.execute(query)
        ]

    def file_of(self, image: ImageKey) -> str:
        """Return the path of the image's file; empty if there is none."""
        row = self._dataset(image.dataset)
        query = select(ImageRow.path).where(
            ImageRow.dataset_id == row.id, ImageRow.name == image.image
        )
        return resolve_image_path(
            root=row.root,
            name=image.image,
            path=self._session.scalar(query),
            folder=image_folders(self._session).get(image.dataset),
        )

    def _query(self) -> Any:
        return (
            select(ParticipantRow.code, DatasetRow.name, ModelPredictionsRow)
            .join(ParticipantRow, ParticipantRow.id == ModelPredictionsRow.participant_id)
            .join(DatasetRow, DatasetRow.id == ModelPredictionsRow.dataset_id)
        )

    def _participant_id(self, code: str) -> int:
        number = self._session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == code))
        if number is None:
            raise RefusedError(f"The study has no participant '{code}'.")
        return number

    def _dataset(self, name: str) -> DatasetRow:
        row = self._session.scalar(select(DatasetRow).where(DatasetRow.name == name))
        if row is None:
            raise RefusedError(f"The study has no dataset '{name}'.")
        return row


def _stored_predictions(model: str, dataset: str, row: ModelPredictionsRow) -> StoredPredictions:
    return StoredPredictions(model, dataset, unpack_row(row), json.loads(row.provenance))


def unpack_row(row: ModelPredictionsRow) -> PackedPredictions:
    """Return the predictions of a row; damaged ones are refused."""
    scores = row.scores
    if scores is not None:
        verified(scores, row.scores_checksum, SCORES_COLUMN)
    labels = verified(row.labels, row.labels_checksum, LABELS_COLUMN)
    return unpack(PackedBytes(row.images, row.ranks, labels, scores, row.score_bytes))
