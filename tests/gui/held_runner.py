"""A real runner whose work a test can hold back for a while."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from labeler.app.runner import Job
from labeler.ui.window.workers import QtJob, QtRunner

T = TypeVar("T")


class HeldRunner(QtRunner):
    """Holds back what is fetched ahead, always, and everything while `hold` is set."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.hold = False
        self._held: list[Callable[[], object]] = []

    def _queue(
        self,
        name: str,
        work: Callable[[Job], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        *,
        progress: Callable[[int, int], None] | None = None,
        urgent: bool = True,
    ) -> QtJob:
        queue = partial(super()._queue, name, work, done, failed, progress=progress)
        if urgent and not self.hold:
            return queue()
        if urgent:
            self._held.append(queue)
        return QtJob(lambda _callback: None)

    def let_go(self) -> None:
        """Do what was held back."""
        self.hold = False
        held, self._held = self._held, []
        for submit in held:
            submit()
