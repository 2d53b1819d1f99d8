"""The evaluation's workbench: any trial can be returned to, until the answers are locked."""

from collections.abc import Callable
from typing import TypeVar

from labeler.app.labeling.session import LockableSessionProtocol, SessionStart
from labeler.app.labeling.workbench import LabelingWorkbench
from labeler.app.labeling.workbench_view import WorkbenchStage

Pixels = TypeVar("Pixels")

_ANSWER_FIRST = "Answer this image first. You can mark it to come back to it."
_UNFLAGGED = "The flag is taken back."
_UNFLAGGED_WAITS = "The flag is taken back: this image waits for its answer again."
_FIRST_TRIAL = "This is the first image."
_LAST_TRIAL = "This is the last image."


class EvaluationWorkbench(LabelingWorkbench[Pixels, LockableSessionProtocol]):
    """A session at the evaluation: trial after trial, until the answers are locked."""

    TASK = "evaluation"
    _at_last: str | None = None
    _walks = False

    def lock(self, *, failed: Callable[[str], None]) -> None:
        """Lock the answers for good, or say why that can't be done."""
        self._database.submit(
            lambda _job: self._session.lock(),
            done=lambda _nothing: self._update_view(
                stage=WorkbenchStage.LOCKED, notice="", trouble=""
            ),
            failed=lambda error: failed(self._sentence(error)),
        )

    def toggle_mark(self) -> None:
        """Mark the trial to come back to it at the end, or no longer."""
        trial, here = self._trial_at_work(), self._walk.here
        if trial is None or here is None:
            return
        marked = not here.marked
        self._walk.order.mark(here.trial_id, marked=marked)
        self._update_view(notice="")
        self._write(lambda: self._session.mark(here.trial_id, marked=marked))

    def remove_flag(self) -> None:
        """Have the image wait for an answer again, or count again next to its answer."""
        trial = self._trial_at_work()
        if trial is not None:
            self._walk.order.unflagged(trial.trial_id)
            self._write(lambda: self._session.unflag(trial.trial_id))
            waits = self._walk.order[trial.trial_id].waits
            self._update_view(notice=_UNFLAGGED_WAITS if waits else _UNFLAGGED)

    def back(self) -> None:
        """Return to the trial before."""
        self._walks = True
        self._walk.when_ordered(self._back)

    def _back(self) -> None:
        self._step(self._walk.order.before, at_the_end=_FIRST_TRIAL)

    def next_trial(self) -> None:
        """Go to the trial after, unless this one waits for its answer; at last, to the end.

        Who went from the end to one trial alone goes to the end again at once.
        """
        self._walk.when_ordered(self._go_forward)

    def _go_forward(self) -> None:
        here, trial = self._walk.here, self._trial_at_work()
        waits = here is not None and here.waits
        if trial is not None and self._walk.order.left == 0 and self._leads_to_end(trial.trial_id):
            self.finish()
        else:
            self._step(self._walk.order.after, at_the_end=_ANSWER_FIRST if waits else _LAST_TRIAL)

    def _leads_to_end(self, trial_id: str) -> bool:
        return not self._walks or self._walk.order.after(trial_id) is None

    def go_to(self, trial_id: str) -> None:
        """Return to a trial from the end of the task."""
        self._walks = False
        self._open(trial_id)

    def look_through(self) -> None:
        """Walk through the answers from the end: from the trial left last, else from the last."""
        self._walks = True
        self._open(self._at_last or self._walk.order.all[-1].trial_id)

    def _open(self, trial_id: str, *, notice: str = "") -> None:
        self._at_last = trial_id
        super()._open(trial_id, notice=notice)

    def finish(self) -> None:
        """Go to the end of the task, when nothing waits any more."""
        self._walk.when_ordered(self._finish)

    def _finish(self) -> None:
        if self._walk.order.left == 0 and self._view.stage is not WorkbenchStage.STOPPED:
            self._walk.put_aside()
            self._update_view(stage=WorkbenchStage.FINISHED, image=None, notice="", trouble="")

    def _step(self, direction: Callable[[str], str | None], *, at_the_end: str) -> None:
        trial = self._trial_at_work()
        if trial is None:
            return
        goal = direction(trial.trial_id)
        if goal is None:
            self._update_view(notice=at_the_end)
        else:
            self._open(goal)

    def _where_to_begin(self, start: SessionStart) -> str | None:
        """The trial that was left, or the end of the task where there is nothing left to do.

        Anyone who was cut off while changing an answer at the end is led back to that answer.
        """
        goes_on = not start.finished or (start.resumed and start.also_open)
        return start.first if goes_on else None
