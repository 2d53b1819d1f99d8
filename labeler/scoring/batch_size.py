"""Find the fastest batch size by trying, and halve it when memory runs out."""

from collections.abc import Callable
from typing import TypeVar

import torch

from labeler.core.errors import EnvironmentFault

_Result = TypeVar("_Result")

# Allocators other than CUDA's raise a RuntimeError with one of these messages.
_OUT_OF_MEMORY_WORDS = (
    "out of memory",
    "can't allocate memory",
    "not enough memory",
    "status_alloc_failed",
)


ONE_IMAGE_TOO_LARGE = (
    "A batch of one image doesn't fit into the memory of the device. Close other programs that use "
    "it, or score this model on the CPU."
)
ONE_IMAGE_TOO_LARGE_COMMAND = "Use `--device cpu`."


def is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, (torch.OutOfMemoryError, MemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(
        w in str(error).lower() for w in _OUT_OF_MEMORY_WORDS
    )


def with_smaller_batches(
    work: Callable[[int], _Result], size: int, *, halved: Callable[[int], None]
) -> tuple[_Result, int]:
    """Call `work` with `size`, halved until it fits; return its result and the size used."""
    while True:
        try:
            return work(size), size
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if size == 1:
                raise EnvironmentFault(
                    ONE_IMAGE_TOO_LARGE, by_command=ONE_IMAGE_TOO_LARGE_COMMAND
                ) from error
        # Outside the handler, because the error keeps the tensors alive that fill the memory.
        size //= 2
        free_memory()
        halved(size)


def free_memory() -> None:
    """Return cached memory of the allocators to the device."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()


# A larger batch must be clearly faster: it needs more memory, and a cancelled run loses more.
_MIN_SPEEDUP = 1.03
_TRIES = 2


def fastest_batch_size(
    run: Callable[[int], object],
    sizes: tuple[int, ...],
    *,
    seconds: Callable[[], float],
) -> int:
    """Return the size after which the next one is no faster or doesn't fit.

    `run` scores one batch. If even the first size doesn't fit it is returned anyway: scoring halves
    it until it fits.
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
    run(size)  # the first run with a shape prepares its kernels
    return min(_once(run, size, seconds) for _ in range(_TRIES))


def _once(run: Callable[[int], object], size: int, seconds: Callable[[], float]) -> float:
    begin = seconds()
    run(size)
    return max(seconds() - begin, 1e-9)
