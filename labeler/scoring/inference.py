"""A model made fast on its device, checked to say what it said before."""

import copy
import warnings
from collections.abc import Callable

import torch
from torch import Tensor, nn

from labeler.core.models.scoring import Precision

ForwardFunction = Callable[[Tensor], Tensor]

DTYPES = {Precision.FLOAT16: torch.float16, Precision.BFLOAT16: torch.bfloat16}

# How far the logits of a frozen graph may lie from the plain model's, relative to the largest.
_TOLERANCE = 1e-3
_CHECKED_IMAGES = 2


def optimized_forward(
    module: nn.Module, *, device: torch.device, size: tuple[int, int, int], precision: Precision
) -> ForwardFunction:
    """The model for batches on a device: channels last, on the CPU frozen with its norms folded."""
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
    """The model as a frozen graph, or None where it can't be one or would say something else."""
    example = channels_last(
        torch.randn(_CHECKED_IMAGES, *size, generator=torch.Generator().manual_seed(0))
    )
    try:
        with warnings.catch_warnings(), torch.inference_mode():
            # torch announces that graphs will be made otherwise one day; here they are faster.
            warnings.simplefilter("ignore")
            graph = torch.jit.freeze(torch.jit.trace(module, example, check_trace=False))
            return graph if _is_equivalent(graph, module, example) else None
    except (RuntimeError, TypeError, AttributeError):
        return None


def _is_equivalent(graph: ForwardFunction, module: nn.Module, example: Tensor) -> bool:
    """Compare on another batch size than the traced one, so that no shape was baked in."""
    batch = channels_last(example.repeat(2, 1, 1, 1))
    plain, frozen = module(batch), graph(batch)
    same_first = bool((plain.argmax(1) == frozen.argmax(1)).all())
    return same_first and bool((plain - frozen).abs().max() <= _TOLERANCE * plain.abs().max())
