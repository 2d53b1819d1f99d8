"""A queue of chunks loses none and reads no further ahead than it must."""

from collections.abc import Iterator

import pytest

from labeler.core.models.scoring import ScoringChunk
from labeler.scoring.worker_pool import ChunkQueue


def chunks(count: int, read: list[int] | None = None) -> Iterator[ScoringChunk]:
    for number in range(count):
        if read is not None:
            read.append(number)
        yield ScoringChunk(number, (), apply_exif=False)


def test_chunks_come_in_their_order_and_those_put_back_first() -> None:
    chunks_left = ChunkQueue(chunks(3))
    first = chunks_left.take()
    chunks_left.put_back([first])
    assert [chunks_left.take().number for _ in range(3)] == [0, 1, 2]
    assert not chunks_left
    with pytest.raises(IndexError):
        chunks_left.take()


def test_looking_ahead_reads_no_more_than_asked() -> None:
    read: list[int] = []
    chunks_left = ChunkQueue(chunks(100, read))
    assert chunks_left.has(4)
    assert read == [0, 1, 2, 3]
    assert not chunks_left.has(101)
