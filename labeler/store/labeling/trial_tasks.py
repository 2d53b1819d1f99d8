"""The tasks that consist of trials, and how their queries and refusals differ."""

from dataclasses import dataclass, replace
from functools import cached_property

from sqlalchemy import ColumnElement, TextClause, and_, select, text
from sqlalchemy.orm import Session

from labeler.core.datasets.hidden_repeats import FIRST_ASKING
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ExposureOccasion, SessionTask
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema import PhaseRow, PredictionRow, RepeatedPredictionRow, TrialRow

EVALUATION_NOT_OPEN = "The evaluation isn't open yet: ask the lead to open it."

AnswerTable = type[PredictionRow] | type[RepeatedPredictionRow]


@dataclass(frozen=True, eq=False)
class TrialTask:
    """A task, the phase that opens it, how its images are seen, and what its refusals say.

    `reveals` tells that the target is reported after an answer, which therefore can't change.
    """

    task: SessionTask
    phase: Phase
    occasion: ExposureOccasion
    reveals: bool
    refusals: tuple[tuple[PhaseState, str], ...]
    not_open_message: str
    final: str
    locked_message: str
    wrong_session_message: str
    # Whether these are hidden repeats, whose answers are stored separately.
    repeated: bool = False

    @property
    def answers(self) -> AnswerTable:
        """Return the table with the answers to the task's trials."""
        return RepeatedPredictionRow if self.repeated else PredictionRow

    @cached_property
    def is_trial(self) -> TextClause:
        """Return the condition that a trial belongs to the task."""
        # A literal, because a partial index isn't used for a bound value.
        return text(f"trial.task = '{self.task.value}'")

    @cached_property
    def is_prediction(self) -> TextClause:
        """Return the condition that a prediction belongs to the task."""
        return text(f"prediction.task = '{self.task.value}'")

    @cached_property
    def answers_trial(self) -> ColumnElement[bool]:
        """Whether a prediction answers a trial.

        An evaluation knows imported answers, which have no trial. They answer the first trial of
        an image, not its hidden repeats. A training may show an image again.
        """
        if self.reveals or self.repeated:
            return self.answers.trial_id == TrialRow.id
        return and_(
            self.is_asked,
            PredictionRow.participant_id == TrialRow.participant_id,
            PredictionRow.image_id == TrialRow.image_id,
            self.is_prediction,
        )

    @cached_property
    def is_asked(self) -> ColumnElement[bool]:
        """Return the condition that a trial is a first one, or a hidden repeat."""
        return TrialRow.asking > FIRST_ASKING if self.repeated else TrialRow.asking == FIRST_ASKING

    def is_trial_of(self, person: int) -> ColumnElement[bool]:
        return and_(TrialRow.participant_id == person, self.is_trial)

    def require_open(self, session: Session) -> None:
        """Refuse with the reason unless the task's phase is open."""
        query = select(PhaseRow.state).where(PhaseRow.phase == self.phase)
        reason = dict(self.refusals).get(session.scalar(query) or PhaseState.CLOSED)
        if reason is not None:
            raise RefusedError(reason)


EVALUATION = TrialTask(
    task=SessionTask.EVALUATE,
    phase=Phase.EVALUATE,
    occasion=ExposureOccasion.EVALUATION,
    reveals=False,
    refusals=(
        (PhaseState.CLOSED, EVALUATION_NOT_OPEN),
        (
            PhaseState.LOCKED,
            "The evaluation is locked: its answers can't be seen or changed any more.",
        ),
    ),
    not_open_message="The evaluation isn't open, so no answer can be stored. Ask the lead.",
    final="Your answers are locked: they can't change any more.",
    locked_message="Your answers are locked: they can't be seen or changed any more.",
    wrong_session_message=(
        "This session isn't an evaluation by the labeler whose trial this is. Sign in again."
    ),
)
# Both are trials of one evaluation; a labeler can't tell them apart.
REPEATED_EVALUATION = replace(EVALUATION, repeated=True)
REVEALED = "This image is answered and its class was shown, so the answer can't change any more."
TRAINING = TrialTask(
    task=SessionTask.TRAIN,
    phase=Phase.TRAIN,
    occasion=ExposureOccasion.TRAINING,
    reveals=True,
    refusals=(
        (PhaseState.CLOSED, "The training isn't open yet: ask the lead to open it."),
        (PhaseState.LOCKED, "The training is over: the lead has locked it."),
    ),
    not_open_message="The training isn't open, so no answer can be stored. Ask the lead.",
    final=REVEALED,
    locked_message=REVEALED,
    wrong_session_message="This session isn't a training by the labeler whose trial this is. "
    "Sign in again.",
)


def task_of(trial: TrialRow) -> TrialTask:
    """Return the trial's task; a hidden repeat has rules of its own."""
    return REPEATED_EVALUATION if trial.asking > FIRST_ASKING else TASKS[trial.task]


TASKS = {labeled.task: labeled for labeled in (EVALUATION, TRAINING)}
