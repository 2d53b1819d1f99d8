"""Setting a study up in the window: one piece of work at a time, told as it goes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from labeler.app.background_task import BackgroundTask, TaskStopped
from labeler.app.progress import ProgressReporter
from labeler.app.runner import Runner, ignore
from labeler.app.study.setup.confirmations import Confirmation, leaving_confirmation
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.study_setup import Sentences, StudySetup
from labeler.core.clock import Clock

T = TypeVar("T")
_BUSY = "Something is under way: wait for it, or cancel it."
_STOPPING = "Cancelling"
_STOPPED = "Cancelled. What was done so far is kept; do it again to go on."
_PREVIEW_FAILED = "Cancelled: nothing was changed."


class SetupPresenter:
    """Knows what is under way; anyone who listens is reported facts, progress, and how it ended."""

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
        self._halted = _STOPPED
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
        """Whether what is under way is a mere look, which holds no one up."""
        return self._previewer is not None

    @property
    def leave_confirmation(self) -> Confirmation | None:
        """What to ask anyone who would leave now; None while nothing would be interrupted."""
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
        """Take who is reported: of facts, of progress, that nothing runs, what was done, what not.

        `halt` is reported what someone cancelled: neither done nor gone wrong.
        """
        self._show, self._progress, self._idle = show, progress, idle
        self._say, self._fail, self._halt = say, fail, halt

    def refresh(self) -> None:
        """Have the facts told again."""
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
        halted: str = _STOPPED,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Do something that changes the study, and say what came of it; `then` if it was done.

        Anyone who would leave meanwhile is reported by `what` it is, and anyone who cancels it
        `halted`.
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
        """Do something long off the window's thread; its answer goes to `done`.

        What is `atomic` is done completely or not at all: cancelled, it tells which of the two.
        """
        self._begin(work, done, atomic=atomic)

    def preview(
        self, work: Callable[[ProgressReporter], T], *, done: Callable[[T], None], by: object
    ) -> None:
        """See something while people go on; who looks again no longer means what came before."""
        self.cancel_preview(by)
        self._begin(work, done, previewer=by)

    def cancel_preview(self, by: object) -> None:
        """Drop the look that is under way, if it is theirs."""
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
        halted: str = _STOPPED,
        previewer: object | None = None,
    ) -> None:
        if self._closed:
            return
        if self.is_busy:
            self._fail(_BUSY)
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
        """Say why something isn't even begun."""
        self._fail(sentence)

    def cancel(self) -> None:
        """Stop what is under way as soon as may be."""
        if self._work is not None and self._atomic:
            self._work.stop()
            self._progress(0, 0, _STOPPING)
        elif self._work is not None:
            leaving, sentence = self._work, _PREVIEW_FAILED if self.is_previewing else self._halted
            leaving.cancel()
            self._finish(lambda: self._halt(sentence))
            # What it has kept is known when it is gone.
            self._background.run(
                "wait for stopped work",
                leaving.wait_out,
                done=lambda _none: self.refresh(),
                failed=ignore,
            )

    def close(self) -> None:
        """Stop, begin nothing more, and tell no one any more."""
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
        # Anyone who listens may have changed since the work began.
        self._progress(done, total, sentence)

    def _notify_facts(self, facts: SetupFacts) -> None:
        self._facts = facts
        self._show(replace(facts, missing=self._missing))
        # A folder may lie on a machine that takes its time: no one waits for it.
        self._background.run(
            "check for missing files",
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
    """No one listens."""
