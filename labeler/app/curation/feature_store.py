"""Features of images by one of the study's models, on disk next to the pixels."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from labeler.app.curation.pixel_store import PixelStore, RowFile, pixel_key
from labeler.app.progress import ProgressReporter
from labeler.core.curation.fingerprints import Pixels, Vectors
from labeler.core.curation.slight_changes import limit_from_changes, slight_changes
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.extras import require_extras
from labeler.store.curation.duplicate_searches import ComparedImage

_CHUNK = 128
# Images from which the limit of a network is measured.
_LIMIT_SAMPLE = 100
_HASH_LETTERS = 16


class FeatureStore:
    """Computes and keeps the penultimate layer of a model for each image."""

    def __init__(self, folder: Path, model: ModelSpec) -> None:
        require_extras()
        from labeler.scoring.features import FeatureExtractor

        self._extractor = FeatureExtractor(model)
        self._folder = folder

    @property
    def weights_hash(self) -> str:
        return self._extractor.weights_hash

    def fill(
        self, pixels: PixelStore, images: Sequence[ComparedImage], progress: ProgressReporter
    ) -> Vectors:
        """Return the features of the images, after computing those that aren't stored."""
        rows, places = pixels.pixels(), pixels.places(images)
        length = self._extractor.features([rows[int(places[0])]]).shape[1]
        name = f"features-{self.weights_hash[:_HASH_LETTERS]}-{length}.f32"
        file = RowFile(self._folder / name, dtype="<f4", shape=(length,))
        by_key = {pixel_key(image.file): int(p) for image, p in zip(images, places, strict=True)}
        missing = [key for key in by_key if key not in file.keys]
        progress.start("Computing features of images", len(missing))
        for first in range(0, len(missing), _CHUNK):
            keys = missing[first : first + _CHUNK]
            file.append(keys, self._extractor.features([rows[by_key[key]] for key in keys]))
            progress.advance(len(keys))
        stored = file.rows()
        found: Vectors = stored[[file.keys[pixel_key(image.file)] for image in images]]
        centred: Vectors = found - found.mean(axis=0)
        return centred

    def measured_limit(
        self, pixels: Pixels, rows: NDArray[np.int64], progress: ProgressReporter
    ) -> float:
        """Return the limit for this network, from slightly changed images of a sample."""
        step = max(1, len(rows) // _LIMIT_SAMPLE)
        sample = [np.asarray(pixels[row]) for row in rows[::step][:_LIMIT_SAMPLE]]
        progress.start("Measuring the limit of the features", len(sample))
        distances: list[float] = []
        for image in sample:
            found = self._extractor.features([image, *slight_changes(image)]).astype(np.float64)
            distances += ((found[1:] - found[0]) ** 2).sum(axis=1).tolist()
            progress.advance()
        return limit_from_changes(np.array(distances))
