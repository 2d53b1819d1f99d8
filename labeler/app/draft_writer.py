"""Writes drafts in the background: the newest of each subject, one after the other."""

from collections.abc import Callable
from typing import Generic, TypeVar

from labeler.app.runner import Runner

T = TypeVar("T")


class DraftWriter(Generic[T]):
    """Writes drafts while a person works; of each subject only the newest is written.

    A subject is a trial, by its id, or a page of the guide, by its slug.
    """

    def __init__(
        self,
        *,
        keep: Callable[[str, T], None],
        runner: Runner,
        notify: Callable[[Exception | None], None],
    ) -> None:
        self._keep = keep
        self._runner = runner
        self._notify = notify
        self._waiting: dict[str, T] = {}
        self._writing = False

    @property
    def waits(self) -> bool:
        """Whether something newer than what was written last is still to be written."""
        return bool(self._waiting)

    def put(self, subject: str, kept: T) -> None:
        """Write the subject's draft as soon as possible."""
        self._waiting[subject] = kept
        if not self._writing:
            self._write_next()

    def finish(self) -> None:
        """Submit everything that waits before the runner gets other work."""
        while self._waiting:
            self._write_next()

    def forget(self, subject: str) -> None:
        """Write nothing more of a subject that is done with: its draft must not come back."""
        self._waiting.pop(subject, None)

    def _write_next(self) -> None:
        if not self._waiting:
            return
        subject = next(iter(self._waiting))
        kept = self._waiting.pop(subject)
        self._writing = True
        self._runner.submit(
            lambda _job: self._keep(subject, kept),
            done=lambda _nothing: self._written(None),
            failed=self._written,
        )

    def _written(self, fault: Exception | None) -> None:
        self._writing = False
        self._notify(fault)
        self._write_next()
