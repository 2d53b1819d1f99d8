"""Images of a chunk decoded and cropped: at once, or ahead on threads beside a GPU."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from torch import Tensor

from labeler.core.datasets.known_file import ImageFile
from labeler.core.models.scoring import ImageToScore, ScoringChunk, UnreadableFile
from labeler.images.decoder import decode
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.scoring.preprocessing import ModelTransform

DecodedImage: TypeAlias = "Tensor | UnreadableFile"
PendingImages: TypeAlias = Callable[[], list[DecodedImage]]


class ChunkDecoder:
    """Decodes with the product's one decoder; without threads the work is done when asked for.

    On the CPU every core has a process of its own, so that threads would only get in the way.
    """

    def __init__(self, transform: ModelTransform, *, threads: int) -> None:
        self._transform = transform
        self._pool = ThreadPoolExecutor(threads) if threads else None

    def begin(self, chunk: ScoringChunk) -> PendingImages:
        """Begin with a chunk; calling what comes back gives its images, in order."""
        if self._pool is None:
            return lambda: [self._one(image, chunk.apply_exif) for image in chunk.images]
        futures = [self._pool.submit(self._one, i, chunk.apply_exif) for i in chunk.images]
        return lambda: [future.result() for future in futures]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _one(self, image: ImageToScore, apply_exif: bool) -> DecodedImage:
        file = ImageFile(Path(image.path), apply_exif, image.content_hash)
        try:
            # What humans aren't shown isn't scored either.
            pixels: Tensor = self._transform.crop(
                decode(read_known_file(file), apply_exif=apply_exif)
            )
            return pixels
        except UnreadableImage as error:
            return UnreadableFile(image.ordinal, error.reason)
