"""Load all visits of a large review in the background while the first images are shown."""

from collections.abc import Callable, Sequence

from labeler.app.runner import JobHandle, Runner
from labeler.core.review.blind_types import BlindVisit, OwnVerdict
from labeler.core.review.visit_order import ReviewOrder


class VisitLoader:
    """Loads the whole order on a worker, and applies verdicts given meanwhile."""

    def __init__(
        self,
        read: Callable[[], Sequence[BlindVisit]],
        runner: Runner,
    ) -> None:
        self._read, self._runner = read, runner
        self._arrived_callback: Callable[[ReviewOrder], None] = _ignore
        self._meanwhile: list[tuple[str, str, OwnVerdict | None]] = []
        self._job: JobHandle | None = None
        self._waiting: list[Callable[[], None]] = []
        self.is_over = True

    def begin(self, arrived: Callable[[ReviewOrder], None]) -> None:
        """Set the callback that gets the loaded order, before other waiting callbacks run."""
        self._arrived_callback, self.is_over = arrived, False

    def judged(self, visit_id: str, wnid: str, own: OwnVerdict | None) -> None:
        """Record a verdict that may not be stored yet while the order is loaded."""
        if not self.is_over:
            self._meanwhile.append((visit_id, wnid, own))

    def notify_when_over(self, then: Callable[[], None]) -> None:
        """Call `then` when everything is loaded, without urgency."""
        if self.is_over:
            then()
        else:
            self._waiting.append(then)

    def when_over(self, then: Callable[[], None]) -> None:
        """Call `then` when everything is loaded, and load it now."""
        self.notify_when_over(then)
        self.read()

    def read(self) -> None:
        """Start loading unless it is running or done; a failed attempt is repeated."""
        if self.is_over or self._job is not None:
            return
        self._job = self._runner.run(
            "read review order", self._ordered, done=self._take, failed=self._give_up
        )

    def cancel(self) -> None:
        """Stop loading."""
        self.is_over = True
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    def _ordered(self) -> ReviewOrder:
        return ReviewOrder(self._read())

    def _take(self, order: ReviewOrder) -> None:
        self._job, self.is_over = None, True
        for verdict in self._meanwhile:
            order.judge(*verdict)
        self._arrived_callback(order)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    def _give_up(self, _error: Exception) -> None:
        self._job = None


def _ignore(_order: ReviewOrder) -> None:
    """The default callback."""
