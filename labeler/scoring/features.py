"""The penultimate layer of a timm model, to compare images; no prediction is computed."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.devices import configure_device, devices_for
from labeler.scoring.inference import channels_last
from labeler.scoring.model_loader import load_model
from labeler.scoring.preprocessing import model_transform

_BATCH = 32
NO_FEATURES = "{model} has no layer before its classifier that can be read. Choose another model."

Features = NDArray[np.float32]


class FeatureExtractor:
    """Loads a model once, and returns the features of RGB pixels with the channels first."""

    def __init__(self, spec: ModelSpec, *, device: str = "auto") -> None:
        self._device = torch.device(devices_for(device)[0])
        configure_device(self._device)
        loaded = load_model(spec)
        if not (
            hasattr(loaded.module, "forward_features") and hasattr(loaded.module, "forward_head")
        ):
            raise RefusedError(NO_FEATURES.format(model=spec.model))
        self.weights_hash = loaded.weights_hash
        self._transform = model_transform(loaded.module)
        self._scaled = self._transform.to(self._device)
        self._module = loaded.module.eval().to(self._device, memory_format=torch.channels_last)

    def features(self, pixels: Sequence[NDArray[np.uint8]]) -> Features:
        """Return a row of features for each image."""
        with torch.inference_mode():
            parts = [self._layer(batch) for batch in self._batches(pixels)]
        found: Features = torch.cat(parts).cpu().numpy()
        return found

    def _batches(self, pixels: Sequence[NDArray[np.uint8]]) -> Iterator[Tensor]:
        for first in range(0, len(pixels), _BATCH):
            pictures = [
                Image.fromarray(np.ascontiguousarray(p.transpose(1, 2, 0)))
                for p in pixels[first : first + _BATCH]
            ]
            yield torch.stack([self._transform.crop(picture) for picture in pictures])

    def _layer(self, batch: Tensor) -> Tensor:
        numbers = channels_last(self._scaled.normalised(batch.to(self._device)))
        maps = self._module.forward_features(numbers)
        layer: Tensor = self._module.forward_head(maps, pre_logits=True)
        return layer.flatten(1).float()
