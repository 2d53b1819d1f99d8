"""This session's pace: what was answered since the labeler sat down, and how fast."""


class Pace:
    """Sums the active time of a session's visits."""

    def __init__(self) -> None:
        self.answered = 0
        self.active_ms = 0
        self._answering_ms = 0

    @property
    def mean_ms(self) -> int | None:
        """The mean active time for an answer; None before the first."""
        return self._answering_ms // self.answered if self.answered else None

    def visited(self, active_ms: int) -> None:
        """A trial was left after that time."""
        self.active_ms += active_ms

    def submitted(self, active_ms: int) -> None:
        """A trial was left with its answer."""
        self.visited(active_ms)
        self.answered += 1
        self._answering_ms += active_ms
