"""Going on with half the batch when a device's memory doesn't suffice."""

from collections.abc import Callable
from typing import TypeVar

import torch

from labeler.core.errors import EnvironmentFault

_Result = TypeVar("_Result")

# Allocators other than CUDA's tell it in words only.
_OUT_OF_MEMORY_WORDS = (
    "out of memory",
    "can't allocate memory",
    "not enough memory",
    "status_alloc_failed",
)


def is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, (torch.OutOfMemoryError, MemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(
        w in str(error).lower() for w in _OUT_OF_MEMORY_WORDS
    )


def with_smaller_batches(
    work: Callable[[int], _Result], size: int, *, halved: Callable[[int], None]
) -> tuple[_Result, int]:
    """Do the work with a batch of `size`, or of the largest half of it that fits."""
    while True:
        try:
            return work(size), size
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if size == 1:
                raise EnvironmentFault(
                    "Not even one image at a time fits into the device's memory. End what else "
                    "uses it, or score this model on the CPU.",
                    by_command="`--device cpu` does.",
                ) from error
        # Outside of the handler, since the error holds on to the tensors that were in the way.
        size //= 2
        free_memory()
        halved(size)


def free_memory() -> None:
    """Give back what the allocator keeps for later."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
