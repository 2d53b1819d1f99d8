"""Everything that a reviewer is asked, read behind the first images of a large review."""

from collections.abc import Callable, Sequence

from labeler.app.runner import JobHandle, Runner
from labeler.core.review.blind_types import BlindVisit, OwnVerdict
from labeler.core.review.visit_order import ReviewOrder


class VisitLoader:
    """Reads the whole order on a worker, and brings it up to what happened meanwhile."""

    def __init__(
        self,
        read: Callable[[], Sequence[BlindVisit]],
        runner: Runner,
    ) -> None:
        self._read, self._runner = read, runner
        self._arrived_callback: Callable[[ReviewOrder], None] = _ignore
        self._meanwhile: list[tuple[str, str, OwnVerdict | None]] = []
        self._comes: JobHandle | None = None
        self._waiting: list[Callable[[], None]] = []
        self.is_over = True

    def begin(self, arrived: Callable[[ReviewOrder], None]) -> None:
        """Say what is to be read: `arrived` gets the order, before anyone who waits hears of it."""
        self._arrived_callback, self.is_over = arrived, False

    def judged(self, visit_id: str, wnid: str, own: OwnVerdict | None) -> None:
        """Note a verdict, which may be on its way to the disk while the order is read."""
        if not self.is_over:
            self._meanwhile.append((visit_id, wnid, own))

    def notify_when_over(self, then: Callable[[], None]) -> None:
        """Do it when everything has come, without any haste."""
        if self.is_over:
            then()
        else:
            self._waiting.append(then)

    def when_over(self, then: Callable[[], None]) -> None:
        """Do what everything has to be known for: at once, or as soon as it has come."""
        self.notify_when_over(then)
        self.read()

    def read(self) -> None:
        """Read unless it is being done or was done; what failed before may succeed now."""
        if self.is_over or self._comes is not None:
            return
        self._comes = self._runner.run(
            "read review order", self._ordered, done=self._take, failed=self._give_up
        )

    def cancel(self) -> None:
        """No one wants it any more."""
        self.is_over = True
        self._waiting.clear()
        if self._comes is not None:
            self._comes.cancel()

    def _ordered(self) -> ReviewOrder:
        return ReviewOrder(self._read())

    def _take(self, order: ReviewOrder) -> None:
        self._comes, self.is_over = None, True
        for verdict in self._meanwhile:
            order.judge(*verdict)
        self._arrived_callback(order)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()

    def _give_up(self, _error: Exception) -> None:
        self._comes = None


def _ignore(_order: ReviewOrder) -> None:
    """Nothing was begun."""
