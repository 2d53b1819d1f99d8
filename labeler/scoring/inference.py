"""Optimise a model for its device without changing its predictions, and run batches."""

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from labeler.core.models.class_outputs import ClassOutputs
from labeler.core.models.scoring import Labels, Logits, Precision, Scores
from labeler.scoring.preprocessing import ModelTransform

ForwardFunction = Callable[[Tensor], Tensor]

DTYPES = {Precision.FLOAT16: torch.float16, Precision.BFLOAT16: torch.bfloat16}

# The largest difference between the logits of the frozen graph and of the plain model, relative to
# the largest logit.
_TOLERANCE = 1e-3
_CHECKED_IMAGES = 2


def optimized_forward(
    module: nn.Module, *, device: torch.device, size: tuple[int, int, int], precision: Precision
) -> ForwardFunction:
    """Return the model in channels-last order; on the CPU as a frozen graph with folded norms."""
    placed = copy.deepcopy(module).eval().to(device, memory_format=torch.channels_last)
    if device.type == "cpu" and precision is Precision.FLOAT32:
        frozen = _frozen(placed, size)
        if frozen is not None:
            return frozen
    if precision is not Precision.FLOAT32:
        return _autocast(placed, device, DTYPES[precision])
    forward: ForwardFunction = placed
    return forward


def channels_last(batch: Tensor) -> Tensor:
    return batch.contiguous(memory_format=torch.channels_last)


def _autocast(module: nn.Module, device: torch.device, dtype: torch.dtype) -> ForwardFunction:
    def forward(batch: Tensor) -> Tensor:
        with torch.autocast(device.type, dtype=dtype):
            logits: Tensor = module(batch)
        return logits.float()

    return forward


def _frozen(module: nn.Module, size: tuple[int, int, int]) -> ForwardFunction | None:
    """Return the model as a frozen graph, or None if that fails or changes its logits."""
    example = channels_last(
        torch.randn(_CHECKED_IMAGES, *size, generator=torch.Generator().manual_seed(0))
    )
    try:
        with warnings.catch_warnings(), torch.inference_mode():
            # torch warns that TorchScript is deprecated, but it is the fastest way here.
            warnings.simplefilter("ignore")
            graph = torch.jit.freeze(torch.jit.trace(module, example, check_trace=False))
            return graph if _is_equivalent(graph, module, example) else None
    except (RuntimeError, TypeError, AttributeError):
        return None


def _is_equivalent(graph: ForwardFunction, module: nn.Module, example: Tensor) -> bool:
    """Compare with another batch size than the traced one, so that no shape is constant."""
    batch = channels_last(example.repeat(2, 1, 1, 1))
    plain, frozen = module(batch), graph(batch)
    same_first = bool((plain.argmax(1) == frozen.argmax(1)).all())
    return same_first and bool((plain - frozen).abs().max() <= _TOLERANCE * plain.abs().max())


@dataclass(frozen=True, slots=True, eq=False)
class RankedBatch:
    """The best classes of some images with their probabilities, and all logits."""

    labels: Labels
    scores: Scores
    logits: Logits


class BatchRunner:
    """Runs images through a model; the last batch is padded, so that the shape never changes.

    With a constant shape the result for an image doesn't depend on the number of other images.
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
        """Rank the classes for each image; a GPU is only synchronised after the last batch."""
        with torch.inference_mode():
            parts = [self._rank_batch(batch) for batch in _padded(images, batch_size)]
        labels, scores, logits = (
            torch.cat(column)[: len(images)].cpu().numpy() for column in zip(*parts, strict=True)
        )
        return RankedBatch(labels.astype(np.uint16), scores, logits)

    def _rank_batch(self, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        numbers = self._transform.normalised(self._to_device(batch))
        logits = self._forward(channels_last(numbers)).float()
        if self._columns is not None:
            logits = logits.index_select(1, self._columns)
        scores, labels = logits.softmax(1).topk(self._ranks, dim=1)
        return labels, scores, logits

    def _to_device(self, batch: Tensor) -> Tensor:
        if self._copies is None:
            return batch.to(self._device)
        with torch.cuda.stream(self._copies):
            copied = batch.pin_memory().to(self._device, non_blocking=True)
        computing = torch.cuda.current_stream(self._device)
        computing.wait_stream(self._copies)
        copied.record_stream(computing)
        return copied


def _padded(images: Sequence[Tensor], size: int) -> Iterator[Tensor]:
    for first in range(0, len(images), size):
        part = list(images[first : first + size])
        yield torch.stack(part + [part[-1]] * (size - len(part)))
