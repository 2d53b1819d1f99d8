"""A workbench at any task: a labeler's way through trials, one timed trial at a time."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from labeler.app.labeling.answer_presenter import AnswerPresenter
from labeler.app.labeling.session import SessionStart, SessionT
from labeler.app.labeling.workbench_view import FLAG_TITLES, ClockView, WorkbenchStage
from labeler.app.trial_image_loader import TrialImageView
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.entities import AttentionPlace

Pixels = TypeVar("Pixels")

SAVE_INTERVAL_MS = 5_000
RETRY_INTERVAL_MS = 5_000

_RESUMED = "You were here last time. Your answer and your time so far are kept."
_TORN = "An answer that was being kept when the program ended can't be read. Tell the lead."
_ALSO_OPEN = "Another window works on this {task} with your code, or did until a moment ago."


class LabelingWorkbench(AnswerPresenter[Pixels, SessionT]):
    """A session at a task: trial after trial, until the task is at its end."""

    TASK = ""
    _resumes = False

    # What a task does in its own way.

    @abstractmethod
    def finish(self) -> None:
        """Go to the end of the task."""

    @abstractmethod
    def toggle_mark(self) -> None:
        """Mark the trial to come back to it, or no longer, where that can be done."""

    @abstractmethod
    def remove_flag(self) -> None:
        """Have a flagged image wait for an answer again, where that can be done."""

    @abstractmethod
    def back(self) -> None:
        """Return to the trial before, where that can be done."""

    @abstractmethod
    def next_trial(self) -> None:
        """Go to the trial after, where that can be done."""

    def _where_to_begin(self, start: SessionStart) -> str | None:
        """The trial to begin with; None leads to the end of the task."""
        return start.first

    # The session.

    def begin(self) -> None:
        """Sit down at the task."""
        self._database.submit(
            lambda _job: self._session.begin(), done=self._session_started, failed=self._stop
        )

    def leave(self, then: Callable[[], None] = lambda: None) -> None:
        """End the session; the current trial is kept as it is."""
        if self._view.stage is not WorkbenchStage.STORING and not self._storing.waits:
            self._walk.put_aside()
        # No one hears of a finished write any more, so that none may wait for another.
        self._walk.finish()
        self._update_view(stage=WorkbenchStage.STOPPED, image=None, notice="", trouble="")
        self._database.submit(
            lambda _job: self._session.end(),
            done=lambda _nothing: then(),
            # What counts is kept already; the session stays without an end, as after a crash.
            failed=lambda _error: then(),
        )

    # The trial.

    def flag(self, reason: TrialFlag) -> None:
        """Set the image aside and go on when that is on disk; possible without an image too."""
        trial = self._trial_at_work()
        if trial is None:
            return
        trial_id, draft = trial.trial_id, trial.draft()
        self._walk.submit()
        self._update_view(stage=WorkbenchStage.STORING, notice="", trouble="")
        self._database.submit(
            lambda _job: self._session.flag(
                trial_id, reason, note=draft.note, spent=draft.since, shown_at=draft.shown_at
            ),
            done=lambda _nothing: self._was_flagged(reason),
            failed=self._flag_failed,
        )

    def _was_flagged(self, reason: TrialFlag) -> None:
        here = self._walk.here
        message = (
            "" if here is None else f"Image {here.position:,} is flagged: {FLAG_TITLES[reason]}."
        )
        self._walk.leave_flagged(lambda following: self._follow(following, notice=message))

    def _flag_failed(self, error: Exception) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self._update_view(stage=WorkbenchStage.TRIAL, trouble=self._sentence(error))

    def pause_or_resume(self) -> None:
        """Cover the image and stop the clock, or go on."""
        if self.trial is None:
            return
        if self._view.stage is WorkbenchStage.TRIAL:
            self.trial.pause()
            self._keep()
            self._update_view(stage=WorkbenchStage.PAUSED, notice="")
        elif self._view.stage is WorkbenchStage.PAUSED:
            self.trial.resume()
            self._update_view(stage=WorkbenchStage.TRIAL, notice="")

    # What the screen reports.

    def painted(self, trial_id: str) -> None:
        """The trial's image is on the screen: its clock starts."""
        if self.trial is not None and self.trial.trial_id == trial_id:
            self.trial.shown()
            self._walk.fetch_ahead()

    def attend(self, place: AttentionPlace) -> None:
        if self.trial is not None:
            self.trial.attend(place)

    def turn_away(self) -> None:
        """Another application, or a dialog that isn't work, is in front."""
        if self.trial is not None:
            self.trial.leave()

    def input(self) -> None:
        if self.trial is not None:
            self.trial.input()

    def tick(self) -> None:
        """A second has passed: keep the time so far now and then, and try what failed again."""
        now = self._clock.monotonic_ms()
        if self.trial is not None:
            self.trial.tick()
        if self._view.stage is WorkbenchStage.TRIAL and now - self._kept_at_ms >= SAVE_INTERVAL_MS:
            self._keep()
        if (
            self._view.stage is WorkbenchStage.NOT_STORED
            and now - self._tried_at_ms >= RETRY_INTERVAL_MS
        ):
            self.try_again()

    def clock(self) -> ClockView:
        """Active time on this trial and in this session."""
        trial, before = self.trial, self._walk.pace.active_ms
        return ClockView(
            trial_ms=trial.active_ms if trial else 0,
            session_ms=before + (trial.visit_ms if trial else 0),
        )

    # From trial to trial.

    def _session_started(self, start: SessionStart) -> None:
        self._walk.begin(start)
        fault = _fault(start)
        self._resumes = start.resumed and not fault
        also_open = _ALSO_OPEN.format(task=self.TASK) if start.also_open else ""
        self._go_on(self._where_to_begin(start), notice=fault or also_open)

    def _go_on(self, following: str | None, *, notice: str = "") -> None:
        if following is None:
            self.finish()
        else:
            self._open(following, notice=notice)

    def _open(self, trial_id: str, *, notice: str = "") -> None:
        self._view = replace(
            self._view, stage=WorkbenchStage.OPENING, image=None, notice=notice, trouble=""
        )
        self._walk.open(trial_id)
        self._update_view()

    def _opened(self, message: str) -> None:
        resumes, self._resumes = self._resumes, False
        if resumes and self.trial is not None and self.trial.holds_answer:
            message = message or _RESUMED
        self._view = replace(
            self._view, stage=WorkbenchStage.TRIAL, notice=message or self._view.notice
        )
        self._update_view()

    def _image_arrived(self, image: TrialImageView[Pixels]) -> None:
        if self.trial is None or image.trial_id != self.trial.trial_id:
            return
        if image.sentence:
            self._update_view(image=None, trouble=image.sentence)
            self._walk.fetch_ahead()
        else:
            self._update_view(image=image.image)


def _fault(start: SessionStart) -> str:
    """What became of answers that were kept when the program ended, where that went wrong."""
    if start.replayed.refused:
        return start.replayed.refused[0][1]
    return _TORN if start.replayed.torn_lines else ""
