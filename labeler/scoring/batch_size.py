"""The batch size that is fastest here, found by trying."""

from collections.abc import Callable

from labeler.scoring.out_of_memory import free_memory, is_out_of_memory

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
