"""Batches through the model: always of one size, copied ahead of a GPU, ranked on the device."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from labeler.core.models.class_outputs import ClassOutputs
from labeler.core.models.scoring import Labels, Logits, Scores
from labeler.scoring.inference import ForwardFunction, channels_last
from labeler.scoring.preprocessing import ModelTransform


@dataclass(frozen=True, slots=True, eq=False)
class RankedBatch:
    """The best classes of some images with their probabilities, and the logits of all."""

    labels: Labels
    scores: Scores
    logits: Logits


class BatchRunner:
    """Runs images through a model; the last batch is filled up, so that shapes never change.

    With one shape the numbers of an image don't depend on how many stand beside it.
    """

    def __init__(
        self,
        forward: ForwardFunction,
        transform: ModelTransform,
        columns: ClassOutputs,
        *,
        device: torch.device,
        ranks: int,
    ) -> None:
        self._forward = forward
        self._transform = transform.to(device)
        self._device = device
        self._ranks = min(ranks, len(columns.columns))
        self._columns = None if columns.is_identity else torch.tensor(columns.columns).to(device)
        self._copies = torch.cuda.Stream(device) if device.type == "cuda" else None

    def rank(self, images: Sequence[Tensor], batch_size: int) -> RankedBatch:
        """Rank the classes for each image; on a GPU nothing waits before the last batch is out."""
        with torch.inference_mode():
            parts = [self._one(batch) for batch in _padded(images, batch_size)]
        labels, scores, logits = (
            torch.cat(column)[: len(images)].cpu().numpy() for column in zip(*parts, strict=True)
        )
        return RankedBatch(labels.astype(np.uint16), scores, logits)

    def _one(self, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        numbers = self._transform.normalised(self._placed(batch))
        logits = self._forward(channels_last(numbers)).float()
        if self._columns is not None:
            logits = logits.index_select(1, self._columns)
        scores, labels = logits.softmax(1).topk(self._ranks, dim=1)
        return labels, scores, logits

    def _placed(self, batch: Tensor) -> Tensor:
        if self._copies is None:
            return batch.to(self._device)
        with torch.cuda.stream(self._copies):
            placed = batch.pin_memory().to(self._device, non_blocking=True)
        computing = torch.cuda.current_stream(self._device)
        computing.wait_stream(self._copies)
        placed.record_stream(computing)
        return placed


def _padded(images: Sequence[Tensor], size: int) -> Iterator[Tensor]:
    for first in range(0, len(images), size):
        part = list(images[first : first + size])
        yield torch.stack(part + [part[-1]] * (size - len(part)))
