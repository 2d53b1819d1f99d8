"""Training at the workbench: feedback follows each answer, and there is no way back."""

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

NO_WAY_BACK = "You can't go back in training, because the correct class has been shown."
NO_MARKS = "Images can't be marked in training. Missed classes are repeated automatically."
ANSWER_FIRST = "Answer this image first, or end the training."

_STAGES_TO_FINISH_FROM = (
    WorkbenchStage.TRIAL,
    WorkbenchStage.PAUSED,
    WorkbenchStage.FEEDBACK,
    WorkbenchStage.OPENING,
)


class TrainingFlow(TaskFlow):
    """Shows feedback after each answer, and a summary at the end.

    Feedback and summary have their own listeners, because views of trials never contain a target.
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
        """The feedback on the last answer; None while a trial is unanswered."""
        return self._feedback

    def listen_for_feedback(
        self,
        feedback: Callable[[FeedbackView], None],
        summary: Callable[[TrainingSummary], None],
    ) -> None:
        """Set the functions that show feedback and the summary."""
        self._show_feedback, self._show_summary = feedback, summary

    def first_trial(self, start: SessionStart) -> str | None:
        return start.first

    def answer_stored(self, answer: CommittedAnswer) -> None:
        """Request the feedback on the answer."""
        if self._presenter.view.stage is not WorkbenchStage.STOPPED:
            self._database.run(
                "read feedback",
                lambda: self._session.feedback(answer.trial_id),
                done=self._feedback_arrived,
                failed=self._presenter.stop,
            )

    def show_feedback_again(self) -> None:
        """Show the feedback again, if there is any, with the current content of the guide."""
        feedback = self._feedback
        if feedback is not None:
            has_distinction = self._has_distinction(feedback.label, feedback.target)
            self._show_feedback(
                feedback_view(
                    feedback, name_class=self._name_class, has_distinction=has_distinction
                )
            )

    def next_trial(self) -> None:
        """Go on from the feedback to the next image, or to the summary."""
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
        """End the training, answered completely or not, and show its summary."""
        presenter = self._presenter
        if presenter.view.stage not in _STAGES_TO_FINISH_FROM:
            return
        presenter.put_away()
        self._feedback = None
        presenter.trials.finish()
        presenter.update_view(stage=WorkbenchStage.STORING, image=None, notice="", problem="")
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
        presenter.update_view(stage=WorkbenchStage.FEEDBACK, notice="", problem="")
        self.show_feedback_again()

    def _summarised(self, summary: TrainingSummary) -> None:
        if self._presenter.view.stage is not WorkbenchStage.STOPPED:
            self._presenter.update_view(stage=WorkbenchStage.FINISHED, image=None)
            self._show_summary(summary)

    def _refuse(self, sentence: str) -> None:
        if self._presenter.trial_at_work is not None:
            self._presenter.update_view(notice=sentence)
