"""The pace of a session: how many answers, and how fast."""


class Pace:
    """Sums the active time of a session's visits."""

    def __init__(self) -> None:
        self.answered = 0
        self.active_ms = 0
        self._answering_ms = 0

    @property
    def mean_ms(self) -> int | None:
        """Return the mean active time per answer, or None before the first."""
        return self._answering_ms // self.answered if self.answered else None

    def visited(self, active_ms: int) -> None:
        """Add the time of a trial that was left."""
        self.active_ms += active_ms

    def submitted(self, active_ms: int) -> None:
        """Count an answer."""
        self.visited(active_ms)
        self.answered += 1
        self._answering_ms += active_ms
