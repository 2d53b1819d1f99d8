"""A model's predictions on a dataset as two arrays, and those arrays as bytes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.uint16]
Scores = npt.NDArray[np.floating]

NO_LABEL = 0xFFFF
_LABEL_TYPE = np.dtype("<u2")


@dataclass(frozen=True, slots=True)
class PackedPredictions:
    """Class indices and scores by image ordinal and rank; `scores` is None when none were given."""

    labels: Labels
    scores: Scores | None

    @property
    def ranks(self) -> int:
        return int(self.labels.shape[1])

    @property
    def images(self) -> int:
        return int(self.labels.shape[0])


@dataclass(frozen=True, slots=True)
class PackedBytes:
    """The same as the database keeps it."""

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
