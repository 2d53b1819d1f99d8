"""Too little memory halves the batch, and the batch size is found by trying."""

import pytest
import torch

from labeler.core.errors import EnvironmentFault
from labeler.scoring.batch_size import (
    ONE_IMAGE_TOO_LARGE,
    ONE_IMAGE_TOO_LARGE_COMMAND,
    fastest_batch_size,
    is_out_of_memory,
    with_smaller_batches,
)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_out_of_memory_halves_the_batch_until_it_fits(error: Exception) -> None:
    result: list[int] = []

    def work(size: int) -> str:
        if size > 3:
            raise error
        return "done"

    assert with_smaller_batches(work, 32, halved=result.append) == ("done", 2)
    assert result == [16, 8, 4, 2]


def test_when_not_even_one_image_fits_there_is_advice() -> None:
    def work(_size: int) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(EnvironmentFault, match=ONE_IMAGE_TOO_LARGE) as raised:
        with_smaller_batches(work, 4, halved=lambda _size: None)
    assert raised.value.by_command == ONE_IMAGE_TOO_LARGE_COMMAND


def test_another_error_is_no_reason_for_a_smaller_batch() -> None:
    def work(_size: int) -> None:
        raise RuntimeError("device-side assert")

    with pytest.raises(RuntimeError, match="assert"):
        with_smaller_batches(work, 4, halved=lambda _size: pytest.fail("halved"))


def test_a_real_allocation_beyond_the_machine_counts_as_out_of_memory() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(2**46, dtype=torch.float32)
    assert is_out_of_memory(caught.value)


class Machine:
    """Runs a batch in a time that is known beforehand."""

    def __init__(self, seconds_for: dict[int, float], limit: int = 10_000) -> None:
        self._seconds_for = seconds_for
        self._limit = limit
        self._now = 0.0

    def run(self, size: int) -> None:
        if size > self._limit:
            raise torch.OutOfMemoryError("CUDA out of memory")
        self._now += self._seconds_for[size]

    def now(self) -> float:
        return self._now


@pytest.mark.parametrize(
    ("seconds_for", "limit", "best"),
    [
        ({8: 8.0, 16: 8.5, 32: 16.9}, 99, 16),  # twice as many in no less time don't pay
        ({8: 8.0, 16: 8.0, 32: 8.0}, 99, 32),
        ({8: 8.0, 16: 8.0, 32: 8.0}, 16, 16),  # more don't fit
        ({8: 8.0, 16: 17.0, 32: 1.0}, 99, 8),
        ({8: 8.0, 16: 8.0, 32: 8.0}, 4, 8),  # scoring will halve it
    ],
)
def test_the_batch_grows_as_long_as_it_pays(
    seconds_for: dict[int, float], limit: int, best: int
) -> None:
    machine = Machine(seconds_for, limit)
    assert fastest_batch_size(machine.run, (8, 16, 32), seconds=machine.now) == best
