"""The training's workbench: what an image shows is reported after each answer, and no one goes
back."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from labeler.app.labeling.workbench import LabelingWorkbench
from labeler.app.labeling.workbench_view import ChosenClass, WorkbenchStage
from labeler.app.runner import Runner
from labeler.app.training.feedback import (
    AnswerFeedback,
    Feedback,
    FeedbackView,
    TrainingSummary,
    feedback_view,
)
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.clock import Clock

if TYPE_CHECKING:
    from labeler.app.training.feedback import AnswerFeedback, Feedback, TrainingSummary
    from labeler.app.training.session import TrainingLabelingSession
    from labeler.core.labeling.answers import CommittedAnswer

Pixels = TypeVar("Pixels")

_ONLY_FORWARDS = "A training only goes forwards: what an image showed has been told."
_NO_MARKS = "There is nothing to mark in a training: missed classes come back by themselves."
_ANSWER_FIRST = "Answer this image first, or end the training."


class TrainingWorkbench(LabelingWorkbench[Pixels, "TrainingLabelingSession"]):
    """A session at a training: answer, feedback, next; at its end a summary.

    Feedback and summary go to listeners of their own, since no view of a trial has a place for
    what they tell.
    """

    TASK = "training"

    def __init__(
        self,
        *,
        session: "TrainingLabelingSession",
        database: Runner,
        images: TrialImageLoader[Pixels],
        clock: Clock,
        name_class: Callable[[str], ChosenClass],
        has_distinction: Callable[[str, str], bool],
    ) -> None:
        """`has_distinction` says whether the guide distinguishes two classes."""
        super().__init__(
            session=session, database=database, images=images, clock=clock, name_class=name_class
        )
        self._has_distinction = has_distinction
        self._feedback: Feedback | None = None
        self._show_feedback: Callable[[FeedbackView], None] = lambda _view: None
        self._show_summary: Callable[[TrainingSummary], None] = lambda _summary: None

    @property
    def feedback(self) -> Feedback | None:
        """What was reported of the answer just given; None while a trial waits."""
        return self._feedback

    def listen_for_feedback(
        self,
        feedback: Callable[[FeedbackView], None],
        summary: Callable[[TrainingSummary], None],
    ) -> None:
        """Have feedback and the summary at the end shown by these from now on."""
        self._show_feedback, self._show_summary = feedback, summary

    # What the person does.

    def choose_or_submit(self, wnid: str | None) -> None:
        """Choose or submit, as in the evaluation; after the feedback, go on."""
        if self._view.stage is WorkbenchStage.FEEDBACK:
            self.go_on()
        else:
            super().choose_or_submit(wnid)

    def submit(self) -> None:
        """Commit the answer; after the feedback, go on."""
        if self._view.stage is WorkbenchStage.FEEDBACK:
            self.go_on()
        else:
            super().submit()

    def go_on(self) -> None:
        """Leave the feedback for the next image, or for the summary."""
        if self._view.stage is WorkbenchStage.FEEDBACK:
            self._leave_feedback(self._go_on)

    def next_trial(self) -> None:
        if self._view.stage is WorkbenchStage.FEEDBACK:
            self.go_on()
        elif self._trial_at_work() is not None:
            self._update_view(notice=_ANSWER_FIRST)

    def back(self) -> None:
        self._say(_ONLY_FORWARDS)

    def toggle_mark(self) -> None:
        self._say(_NO_MARKS)

    def remove_flag(self) -> None:
        self._say(_ONLY_FORWARDS)

    def finish(self) -> None:
        """End the training, wherever it is, and have it summed up."""
        if self._view.stage not in (
            WorkbenchStage.TRIAL,
            WorkbenchStage.PAUSED,
            WorkbenchStage.FEEDBACK,
            WorkbenchStage.OPENING,
        ):
            return
        self._put_away()
        self._walk.finish()
        self._update_view(stage=WorkbenchStage.STORING, image=None, notice="", trouble="")
        self._database.submit(
            lambda _job: self._session.finish(), done=self._summed_up, failed=self._stop
        )

    def leave(self, then: Callable[[], None] = lambda: None) -> None:
        """End the session; the training itself waits to be gone on with."""
        self._put_away()
        super().leave(then)

    def painted(self, trial_id: str) -> None:
        """The image is on the screen: its clock starts, and that it was seen is kept at once."""
        waited = self.trial is not None and not self.trial.is_shown
        super().painted(trial_id)
        if waited and self.trial is not None and self.trial.is_shown:
            self._keep()

    def retry_feedback(self) -> None:
        """Show the feedback, if any, with what the guide says now."""
        answered = self._feedback
        if answered is not None:
            has_distinction = self._has_distinction(answered.label, answered.target)
            view = feedback_view(
                answered, name_class=self._name_class, has_distinction=has_distinction
            )
            self._show_feedback(view)

    # Feedback.

    def _stored(self, answer: "CommittedAnswer") -> None:
        self._remember_recent(answer.label)
        if self._view.stage is not WorkbenchStage.STOPPED:
            trial_id = answer.trial_id
            self._database.submit(
                lambda _job: self._session.feedback(trial_id),
                done=self._feedback_arrived,
                failed=self._stop,
            )

    def _feedback_arrived(self, answered: AnswerFeedback) -> None:
        if self._view.stage is WorkbenchStage.STOPPED:
            return
        self._feedback = answered.feedback
        self._walk.take_order(answered.trials)
        self._view = replace(self._view, stage=WorkbenchStage.FEEDBACK, notice="", trouble="")
        self._update_view()
        self.retry_feedback()

    def _leave_feedback(self, then: Callable[[str | None], None]) -> None:
        self._feedback = None
        self._walk.leave_answered(then)

    def _put_away(self) -> None:
        """Leave the current trial, with its answer if it was reported already."""
        if self._feedback is not None:
            self._leave_feedback(lambda _following: None)
        elif not self._storing.waits:
            self._walk.put_aside()

    def _summed_up(self, summary: TrainingSummary) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self._update_view(stage=WorkbenchStage.FINISHED, image=None)
            self._show_summary(summary)

    def _say(self, sentence: str) -> None:
        if self._trial_at_work() is not None:
            self._update_view(notice=sentence)
