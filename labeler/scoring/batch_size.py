"""The batch size that is fastest here, found by trying."""

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


# A larger batch must pay: it costs memory, and a cancelled run loses more.
_MIN_SPEEDUP = 1.03
_TRIES = 2


def fastest_batch_size(
    run: Callable[[int], object],
    sizes: tuple[int, ...],
    *,
    seconds: Callable[[], float],
) -> int:
    """The size after which doubling no longer pays, or no longer fits; `run` scores one batch.

    Where not even the first fits it is the answer all the same: scoring halves it until it does.
    """
    best, best_rate = sizes[0], 0.0
    for size in sizes:
        try:
            rate = size / _duration(run, size, seconds)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            free_memory()
            break
        if best_rate and rate < best_rate * _MIN_SPEEDUP:
            break
        best, best_rate = size, rate
    return best


def _duration(run: Callable[[int], object], size: int, seconds: Callable[[], float]) -> float:
    run(size)  # the first run of a shape prepares its kernels
    return min(_once(run, size, seconds) for _ in range(_TRIES))


def _once(run: Callable[[int], object], size: int, seconds: Callable[[], float]) -> float:
    begin = seconds()
    run(size)
    return max(seconds() - begin, 1e-9)
