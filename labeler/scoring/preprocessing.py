"""Decode images and apply a model's own transform, split in two for speed.

timm's transform resizes and crops each image. Normalisation is the same arithmetic for every pixel
and is done for a whole batch at once, with the same result.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import torch
from PIL import Image
from timm.data import create_transform, resolve_model_data_config
from torch import Tensor, nn

from labeler.core.datasets.image_file import ImageFile
from labeler.core.models.scoring import ImageToScore, ScoringChunk, UnreadableFile
from labeler.images.decoder import decode
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage

_MAX_BYTE = 255


@dataclass(frozen=True, slots=True)
class ModelTransform:
    """A model's transform; `facts` are its settings, stored with the predictions."""

    facts: dict[str, object]
    crop: Callable[[Image.Image], Tensor]
    mean: Tensor
    std: Tensor
    input_size: tuple[int, int, int]

    def normalised(self, pixels: Tensor) -> Tensor:
        """Return a batch of bytes as normalised numbers."""
        numbers = pixels.to(torch.float32).div_(_MAX_BYTE)
        return numbers.sub_(self.mean).div_(self.std)

    def to(self, device: torch.device) -> "ModelTransform":
        return replace(self, mean=self.mean.to(device), std=self.std.to(device))


def model_transform(model: nn.Module) -> ModelTransform:
    """Return the transform of timm's data config for the model."""
    config = resolve_model_data_config(model)
    facts = {name: _plain(config[name]) for name in sorted(config)}
    return ModelTransform(
        facts=facts,
        crop=create_transform(**config, is_training=False, normalize=False),
        mean=torch.tensor(config["mean"]).view(1, -1, 1, 1),
        std=torch.tensor(config["std"]).view(1, -1, 1, 1),
        input_size=config["input_size"],
    )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


DecodedImage: TypeAlias = "Tensor | UnreadableFile"
PendingImages: TypeAlias = Callable[[], list[DecodedImage]]


class ChunkDecoder:
    """Decodes chunks with the decoder that the screen uses too, in threads or when needed.

    On the CPU every core has its own process, so threads would only compete with it.
    """

    def __init__(self, transform: ModelTransform, *, threads: int) -> None:
        self._transform = transform
        self._pool = ThreadPoolExecutor(threads) if threads else None

    def begin(self, chunk: ScoringChunk) -> PendingImages:
        """Start decoding a chunk; the returned function returns its images in order."""
        if self._pool is None:
            return lambda: [self._decode(image, chunk.apply_exif) for image in chunk.images]
        futures = [self._pool.submit(self._decode, i, chunk.apply_exif) for i in chunk.images]
        return lambda: [future.result() for future in futures]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _decode(self, image: ImageToScore, apply_exif: bool) -> DecodedImage:
        file = ImageFile(Path(image.path), apply_exif, image.content_hash)
        try:
            # An image that people aren't shown isn't scored either.
            pixels: Tensor = self._transform.crop(
                decode(read_known_file(file), apply_exif=apply_exif)
            )
            return pixels
        except UnreadableImage as error:
            return UnreadableFile(image.ordinal, error.reason)
