"""A runner that does the work at once, on the thread that asks for it."""

from collections.abc import Callable
from typing import TypeVar

from labeler.app.runner import Job

T = TypeVar("T")


class _Done:
    """A job that was over before anyone could have changed his mind."""

    cancelled = False

    def cancel(self) -> None:
        """There is nothing left to give up."""

    def progress(self, done: int, total: int) -> None:
        """No one listens."""


class Directly:
    """Does the work while it is being submitted."""

    def submit(
        self,
        work: Callable[[Job], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        progress: Callable[[int, int], None] | None = None,  # noqa: ARG002
        urgent: bool = True,  # noqa: ARG002
    ) -> _Done:
        job = _Done()
        try:
            result = work(job)
        except Exception as error:
            failed(error)
        else:
            done(result)
        return job
