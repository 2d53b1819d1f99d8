"""The chunks that no process has yet."""

from collections import deque
from collections.abc import Iterable

from labeler.core.models.scoring import ScoringChunk


class ChunkQueue:
    """Hands out chunks one by one; those that came back go first."""

    def __init__(self, chunks: Iterable[ScoringChunk] = ()) -> None:
        self._further = iter(chunks)
        self._next: deque[ScoringChunk] = deque()

    def __bool__(self) -> bool:
        return self.has(1)

    def has(self, count: int) -> bool:
        """Whether so many are left; no more than these are looked up."""
        while len(self._next) < count:
            chunk = next(self._further, None)
            if chunk is None:
                return False
            self._next.append(chunk)
        return True

    def take(self) -> ScoringChunk:
        """The next one, where there is one."""
        if not self:
            raise IndexError("nothing is left")
        return self._next.popleft()

    def put_back(self, chunks: Iterable[ScoringChunk]) -> None:
        self._next.extendleft(chunks)
