"""The evaluation at the workbench: answers can be changed until they are locked."""

from collections.abc import Callable

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.session import SessionStart
from labeler.app.labeling.task_flow import TaskFlow
from labeler.app.labeling.undo import Act, ActKind
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.runner import Runner
from labeler.core.labeling.answers import CommittedAnswer

ANSWER_FIRST = "Answer this image first. You can mark it to come back to it."
FLAG_REMOVED = "The flag is removed."
FLAG_REMOVED_WAITS = "The flag is removed. This image needs an answer again."
FIRST_IMAGE = "This is the first image."
LAST_IMAGE = "This is the last image."


class EvaluationFlow(TaskFlow):
    """Goes from trial to trial, and finally to the page on which answers are locked."""

    task = "evaluation"
    reopens_answers = True

    def __init__(self, session: EvaluationSession, database: Runner) -> None:
        self._session = session
        self._database = database
        # Whether the labeler goes through all trials, or returned to one of them.
        self._walks = False

    def first_trial(self, start: SessionStart) -> str | None:
        """Return the trial to continue with, or None if all are done.

        A labeler whose program ended while they changed an answer returns to that answer.
        """
        goes_on = not start.finished or (start.resumed and start.also_open)
        return start.first if goes_on else None

    def answer_stored(self, answer: CommittedAnswer) -> None:  # noqa: ARG002
        """Open the next unanswered trial."""
        self._presenter.trials.leave_answered(self._presenter.advance)

    def finish(self) -> None:
        """Go to the end of the task, after the last unanswered trial."""
        self._presenter.trials.when_ordered(self._finish)

    def lock(self, *, failed: Callable[[str], None]) -> None:
        """Lock the answers permanently, or show why that isn't possible."""
        self._database.run(
            "lock answers",
            self._session.lock,
            done=lambda _nothing: self._presenter.update_view(
                stage=WorkbenchStage.LOCKED, notice="", problem=""
            ),
            failed=lambda error: failed(self._presenter.sentence(error)),
        )

    def toggle_mark(self) -> None:
        """Mark the trial for the end of the task, or remove the mark."""
        trials = self._presenter.trials
        here = trials.here
        if self._presenter.trial_at_work is None or here is None:
            return
        marked = not here.marked
        trials.order.mark(here.trial_id, marked=marked)
        self._presenter.history.record(Act(ActKind.MARK, here.trial_id))
        self._presenter.update_view(notice="")
        self._presenter.write(lambda: self._session.mark(here.trial_id, marked=marked))

    def remove_flag(self) -> None:
        """Remove the flag; the image needs an answer again, or counts again with the one it has."""
        trial, order = self._presenter.trial_at_work, self._presenter.trials.order
        if trial is None:
            return
        removed = self._presenter.view.flags
        if removed:
            act = Act(ActKind.FLAG_REMOVED, trial.trial_id, reasons=removed)
            self._presenter.history.record(act)
        order.unflagged(trial.trial_id)
        self._presenter.write(lambda: self._session.unflag(trial.trial_id))
        waits = order[trial.trial_id].waits
        self._presenter.update_view(notice=FLAG_REMOVED_WAITS if waits else FLAG_REMOVED)

    def back(self) -> None:
        """Go to the previous trial."""
        self._walks = True
        self._presenter.trials.when_ordered(self._back)

    def next_trial(self) -> None:
        """Go to the next trial, or to the end; an unanswered trial can't be skipped.

        A labeler who came from the end to one trial returns directly to the end.
        """
        self._presenter.trials.when_ordered(self._next)

    def go_to(self, trial_id: str) -> None:
        """Go from the end of the task to a trial."""
        self._walks = False
        self._presenter.open(trial_id)

    def look_through(self) -> None:
        """Go through the answers from the end, starting at the trial visited last."""
        self._walks = True
        trials = self._presenter.trials
        self._presenter.open(trials.last_opened or trials.order.all[-1].trial_id)

    def _back(self) -> None:
        self._step(self._presenter.trials.order.before, at_the_end=FIRST_IMAGE)

    def _next(self) -> None:
        trials, trial = self._presenter.trials, self._presenter.trial_at_work
        waits = trials.here is not None and trials.here.waits
        if trial is not None and trials.order.left == 0 and self._leads_to_end(trial.trial_id):
            self.finish()
        else:
            self._step(trials.order.after, at_the_end=ANSWER_FIRST if waits else LAST_IMAGE)

    def _leads_to_end(self, trial_id: str) -> bool:
        return not self._walks or self._presenter.trials.order.after(trial_id) is None

    def _finish(self) -> None:
        trials, stage = self._presenter.trials, self._presenter.view.stage
        if trials.order.left == 0 and stage is not WorkbenchStage.STOPPED:
            trials.put_aside()
            self._presenter.update_view(
                stage=WorkbenchStage.FINISHED, image=None, notice="", problem=""
            )

    def _step(self, direction: Callable[[str], str | None], *, at_the_end: str) -> None:
        trial = self._presenter.trial_at_work
        if trial is None:
            return
        goal = direction(trial.trial_id)
        if goal is None:
            self._presenter.update_view(notice=at_the_end)
        else:
            self._presenter.open(goal)
