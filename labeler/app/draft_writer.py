"""Saves drafts: the newest state of each subject, one write at a time."""

from collections.abc import Callable
from typing import Generic, TypeVar

from labeler.app.runner import Runner

T = TypeVar("T")


class DraftWriter(Generic[T]):
    """Saves drafts in the background; only the newest draft of a subject is written.

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
        """Whether a newer draft than the last one written is waiting."""
        return bool(self._waiting)

    def put(self, subject: str, kept: T) -> None:
        """Save the subject's current state."""
        self._waiting[subject] = kept
        if not self._writing:
            self._write_next()

    def finish(self) -> None:
        """Queue all waiting drafts before the runner's next job."""
        while self._waiting:
            self._write_next()

    def forget(self, subject: str) -> None:
        """Drop the drafts of a finished subject, so that none is written later."""
        self._waiting.pop(subject, None)

    def _write_next(self) -> None:
        if not self._waiting:
            return
        subject = next(iter(self._waiting))
        kept = self._waiting.pop(subject)
        self._writing = True
        self._runner.run(
            "save draft",
            lambda: self._keep(subject, kept),
            done=lambda _nothing: self._written(None),
            failed=self._written,
        )

    def _written(self, fault: Exception | None) -> None:
        self._writing = False
        self._notify(fault)
        self._write_next()
