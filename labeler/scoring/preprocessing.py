"""From a decoded image to a model's input: the model's own transform, split for speed.

timm's transform resizes and crops each image; what follows, from bytes to normalised numbers, is
the same arithmetic for every pixel and is done for a whole batch at once, with the same result.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from PIL import Image
from timm.data import create_transform, resolve_model_data_config
from torch import Tensor, nn

_MAX_BYTE = 255


@dataclass(frozen=True, slots=True)
class ModelTransform:
    """A model's transform; `facts` are its settings, to be kept with the predictions."""

    facts: dict[str, object]
    crop: Callable[[Image.Image], Tensor]
    mean: Tensor
    std: Tensor
    input_size: tuple[int, int, int]

    def normalised(self, pixels: Tensor) -> Tensor:
        """A batch of bytes as the numbers that the model was trained on."""
        numbers = pixels.to(torch.float32).div_(_MAX_BYTE)
        return numbers.sub_(self.mean).div_(self.std)

    def to(self, device: torch.device) -> "ModelTransform":
        return replace(self, mean=self.mean.to(device), std=self.std.to(device))


def model_transform(model: nn.Module) -> ModelTransform:
    """The transform that timm's data config of the model asks for."""
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
