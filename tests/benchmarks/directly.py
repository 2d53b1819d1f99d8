"""A runner that does the work immediately, on the calling thread."""

from collections.abc import Callable
from typing import TypeVar

from labeler.app.runner import ignore

T = TypeVar("T")


class _Done:
    """The handle of a job that has ended."""

    def cancel(self) -> None:
        """Do nothing."""


class Directly:
    """Does the work while it is being submitted."""

    def run(
        self,
        _name: str,
        work: Callable[[], T],
        *,
        done: Callable[[T], None] = ignore,
        failed: Callable[[Exception], None],
        urgent: bool = True,  # noqa: ARG002
    ) -> _Done:
        try:
            result = work()
        except Exception as error:
            failed(error)
        else:
            done(result)
        return _Done()
