"""Training at the workbench: each answer is followed by feedback, and there is no way back."""

from collections.abc import Callable

from labeler.app.labeling.session import SessionStart
from labeler.app.labeling.task_flow import TaskFlow
from labeler.app.labeling.workbench_view import ChosenClass, WorkbenchStage
from labeler.app.runner import Runner
from labeler.app.training.feedback import (
    AnswerFeedback,
    Feedback,
    FeedbackView,
    TrainingSummary,
    feedback_view,
)
from labeler.app.training.session import TrainingLabelingSession
from labeler.core.labeling.answers import CommittedAnswer

NO_WAY_BACK = "You can't go back in a training: the class of each answered image has been shown."
NO_MARKS = "Images can't be marked in a training: missed classes come back by themselves."
ANSWER_FIRST = "Answer this image first, or end the training."

_STAGES_TO_FINISH_FROM = (
    WorkbenchStage.TRIAL,
    WorkbenchStage.PAUSED,
    WorkbenchStage.FEEDBACK,
    WorkbenchStage.OPENING,
)


class TrainingFlow(TaskFlow):
    """Answer, feedback, next; at the end a summary.

    Feedback and summary go to their own listeners, since no view of a trial can hold a target.
    """

    task = "training"
    saves_first_paint = True

    def __init__(
        self,
        session: TrainingLabelingSession,
        database: Runner,
        *,
        name_class: Callable[[str], ChosenClass],
        has_distinction: Callable[[str, str], bool],
    ) -> None:
        """`has_distinction` says whether the guide distinguishes two classes."""
        self._session = session
        self._database = database
        self._name_class = name_class
        self._has_distinction = has_distinction
        self._feedback: Feedback | None = None
        self._show_feedback: Callable[[FeedbackView], None] = lambda _view: None
        self._show_summary: Callable[[TrainingSummary], None] = lambda _summary: None

    @property
    def feedback(self) -> Feedback | None:
        """The feedback on the answer just given; None while a trial waits."""
        return self._feedback

    def listen_for_feedback(
        self,
        feedback: Callable[[FeedbackView], None],
        summary: Callable[[TrainingSummary], None],
    ) -> None:
        """Show feedback and the summary at the end with these functions."""
        self._show_feedback, self._show_summary = feedback, summary

    def first_trial(self, start: SessionStart) -> str | None:
        return start.first

    def answer_stored(self, answer: CommittedAnswer) -> None:
        """Get the feedback on the answer."""
        if self._presenter.view.stage is not WorkbenchStage.STOPPED:
            self._database.run(
                "read feedback",
                lambda: self._session.feedback(answer.trial_id),
                done=self._feedback_arrived,
                failed=self._presenter.stop,
            )

    def show_feedback_again(self) -> None:
        """Show the feedback, if there is any, with what the guide says now."""
        feedback = self._feedback
        if feedback is not None:
            has_distinction = self._has_distinction(feedback.label, feedback.target)
            self._show_feedback(
                feedback_view(
                    feedback, name_class=self._name_class, has_distinction=has_distinction
                )
            )

    def next_trial(self) -> None:
        """Leave the feedback for the next image, or for the summary."""
        if self._presenter.view.stage is WorkbenchStage.FEEDBACK:
            self._feedback = None
            self._presenter.trials.leave_answered(self._presenter.advance)
        else:
            self._refuse(ANSWER_FIRST)

    def back(self) -> None:
        self._refuse(NO_WAY_BACK)

    def toggle_mark(self) -> None:
        self._refuse(NO_MARKS)

    def remove_flag(self) -> None:
        self._refuse(NO_WAY_BACK)

    def finish(self) -> None:
        """End the training, whether or not all images are answered, and show its summary."""
        presenter = self._presenter
        if presenter.view.stage not in _STAGES_TO_FINISH_FROM:
            return
        presenter.put_away()
        self._feedback = None
        presenter.trials.finish()
        presenter.update_view(stage=WorkbenchStage.STORING, image=None, notice="", trouble="")
        self._database.run(
            "finish training",
            self._session.finish,
            done=self._summarised,
            failed=presenter.stop,
        )

    def _feedback_arrived(self, answered: AnswerFeedback) -> None:
        presenter = self._presenter
        if presenter.view.stage is WorkbenchStage.STOPPED:
            return
        self._feedback = answered.feedback
        presenter.trials.take_order(answered.trials)
        presenter.update_view(stage=WorkbenchStage.FEEDBACK, notice="", trouble="")
        self.show_feedback_again()

    def _summarised(self, summary: TrainingSummary) -> None:
        if self._presenter.view.stage is not WorkbenchStage.STOPPED:
            self._presenter.update_view(stage=WorkbenchStage.FINISHED, image=None)
            self._show_summary(summary)

    def _refuse(self, sentence: str) -> None:
        if self._presenter.trial_at_work is not None:
            self._presenter.update_view(notice=sentence)
