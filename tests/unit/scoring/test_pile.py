"""A pile of chunks loses none and reads no further ahead than it must."""

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
    pile = ChunkQueue(chunks(3))
    first = pile.take()
    pile.put_back([first])
    assert [pile.take().number for _ in range(3)] == [0, 1, 2]
    assert not pile
    with pytest.raises(IndexError):
        pile.take()


def test_looking_ahead_reads_no_more_than_asked() -> None:
    read: list[int] = []
    pile = ChunkQueue(chunks(100, read))
    assert pile.has(4)
    assert read == [0, 1, 2, 3]
    assert not pile.has(101)
