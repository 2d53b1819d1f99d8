"""Presenter for Set up: runs one task at a time and reports its progress."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from labeler.app.background_task import BackgroundTask, TaskStopped
from labeler.app.confirmation import Confirmation
from labeler.app.progress import ProgressReporter
from labeler.app.runner import Runner, ignore
from labeler.app.study.setup.confirmations import leaving_confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.study_setup import Sentences, StudySetup
from labeler.core.clock import Clock

T = TypeVar("T")
BUSY = "Another task is running. Wait for it to finish, or cancel it."
_CANCELLING = "Cancelling"
CANCELLED = "Cancelled. What was done so far is kept. Start again to resume."
PREVIEW_CANCELLED = "Cancelled. Nothing was changed."


class SetupPresenter:
    """Runs tasks and notifies its listener of facts, progress and results."""

    def __init__(
        self,
        study_setup: StudySetup,
        *,
        database: Runner,
        background: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        self.study_setup = study_setup
        self._database, self._background = database, background
        self._clock = clock
        self._describe_error = describe_error
        self._work: BackgroundTask[Any] | None = None
        self._previewer: object | None = None
        self._atomic = self._closed = False
        self._what = self._stage = ""
        self._halted = CANCELLED
        self._facts: SetupFacts | None = None
        self._missing: frozenset[str] = frozenset()
        self._show: Callable[[SetupFacts], None] = _ignore
        self._progress: Callable[[int, int, str], None] = _ignore
        self._idle: Callable[[], None] = _ignore
        self._say: Callable[[str], None] = _ignore
        self._fail: Callable[[str], None] = _ignore
        self._halt: Callable[[str], None] = _ignore

    @property
    def is_busy(self) -> bool:
        return self._work is not None

    @property
    def is_previewing(self) -> bool:
        """Whether the current task is a preview, which doesn't block the panel."""
        return self._previewer is not None

    @property
    def leave_confirmation(self) -> Confirmation | None:
        """Return what to ask before leaving, or None if nothing would be interrupted."""
        if self._work is None or self.is_previewing:
            return None
        return leaving_confirmation(self._what or f"“{self._stage}”", atomic=self._atomic)

    def listen(
        self,
        *,
        show: Callable[[SetupFacts], None],
        progress: Callable[[int, int, str], None],
        idle: Callable[[], None],
        say: Callable[[str], None],
        fail: Callable[[str], None],
        halt: Callable[[str], None],
    ) -> None:
        """Set the callbacks for facts, progress, idleness, success and failure.

        `halt` is called for a cancelled task, which neither succeeded nor failed.
        """
        self._show, self._progress, self._idle = show, progress, idle
        self._say, self._fail, self._halt = say, fail, halt

    def refresh(self) -> None:
        """Read the facts again and pass them on."""
        if self._closed:
            return
        self._database.run(
            "read study set-up",
            self.study_setup.facts,
            done=self._notify_facts,
            failed=lambda error: self._fail(self._describe_error(error)),
        )

    def do(
        self,
        work: Callable[[ProgressReporter], Sentences],
        *,
        atomic: bool = False,
        what: str = "",
        halted: str = CANCELLED,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Run a task that changes the study and report its result; call `then` on success.

        `what` names the task when a person wants to leave, `halted` is the message after a cancel.
        """

        def notify(sentences: Sentences) -> None:
            self._say("\n".join(sentences))
            then()

        self._begin(work, notify, atomic=atomic, what=what, halted=halted)

    def watch(
        self,
        work: Callable[[ProgressReporter], T],
        *,
        done: Callable[[T], None],
        atomic: bool = False,
    ) -> None:
        """Run a long task on a background thread and pass its result to `done`.

        An `atomic` task completes or changes nothing; after a cancel it reports which.
        """
        self._begin(work, done, atomic=atomic)

    def preview(
        self, work: Callable[[ProgressReporter], T], *, done: Callable[[T], None], by: object
    ) -> None:
        """Run a preview without blocking the panel; it replaces the caller's earlier one."""
        self.cancel_preview(by)
        self._begin(work, done, previewer=by)

    def cancel_preview(self, by: object) -> None:
        """Cancel the current preview if the caller started it."""
        if self._work is not None and self._previewer is by:
            self._work.cancel()
            self._work = self._previewer = None
            self._idle()

    def _begin(
        self,
        work: Callable[[ProgressReporter], T],
        done: Callable[[T], None],
        *,
        atomic: bool = False,
        what: str = "",
        halted: str = CANCELLED,
        previewer: object | None = None,
    ) -> None:
        if self._closed:
            return
        if self.is_busy:
            self._fail(BUSY)
            return
        self._say("")
        self._work = BackgroundTask(
            "set up study",
            work,
            runner=self._background,
            clock=self._clock,
            show=self._notify_progress,
            done=lambda answer: self._finish(lambda: done(answer)),
            failed=lambda error: self._finish(lambda: self._notify_failure(error)),
        )
        self._atomic, self._what, self._previewer = atomic, what, previewer
        self._halted = halted
        self._work.start()

    def refuse(self, sentence: str) -> None:
        """Report why a task isn't started."""
        self._fail(sentence)

    def cancel(self) -> None:
        """Stop the current task as soon as possible."""
        if self._work is not None and self._atomic:
            self._work.stop()
            self._progress(0, 0, _CANCELLING)
        elif self._work is not None:
            stopped = self._work
            sentence = PREVIEW_CANCELLED if self.is_previewing else self._halted
            stopped.cancel()
            self._finish(lambda: self._halt(sentence))
            # What it has stored is known only once it has ended.
            self._background.run(
                "wait for stopped task",
                stopped.wait_out,
                done=lambda _none: self.refresh(),
                failed=ignore,
            )

    def close(self) -> None:
        """Stop the current task, start no others, and drop the listener."""
        self._closed = True
        self.listen(
            show=_ignore,
            progress=_ignore,
            idle=_ignore,
            say=_ignore,
            fail=_ignore,
            halt=_ignore,
        )
        if self._work is not None:
            self._work.cancel()
            self._work = self._previewer = None

    def _finish(self, notify: Callable[[], None]) -> None:
        self._work = self._previewer = None
        self._idle()
        notify()
        self.refresh()

    def _notify_failure(self, error: Exception) -> None:
        if isinstance(error, TaskStopped):
            self._halt(str(error))
        else:
            self._fail(self._describe_error(error))

    def _notify_progress(self, done: int, total: int, sentence: str) -> None:
        self._stage = sentence.partition(" · ")[0]
        # Looked up now, as the listener may have changed since the task started.
        self._progress(done, total, sentence)

    def _notify_facts(self, facts: SetupFacts) -> None:
        self._facts = facts
        self._show(replace(facts, missing=self._missing))
        # A folder may be on a slow network drive, so this doesn't delay the facts.
        self._background.run(
            "look for missing folders",
            lambda: self.study_setup.missing(facts.datasets),
            done=self._notify_missing,
            failed=ignore,
            urgent=False,
        )

    def _notify_missing(self, missing: frozenset[str]) -> None:
        if self._facts is not None and missing != self._missing:
            self._missing = missing
            self._show(replace(self._facts, missing=missing))


def _ignore(*_values: object) -> None:
    """The default callback, which does nothing."""
