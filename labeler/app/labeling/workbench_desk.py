"""What a workbench needs of a labeler's desk: what every task needs, and what each adds."""

from typing import TYPE_CHECKING, Protocol, TypeVar

from labeler.app.labeling.kept_trial import SavedTrial
from labeler.app.labeling.outcomes import AnswerOutcome
from labeler.core.labeling.answers import TrialFlag
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.core.labeling.time_spent import TimeSpent

if TYPE_CHECKING:
    from labeler.app.labeling.starting import SessionStart, TrialStart
    from labeler.app.training.feedback import AnswerFeedback, TrainingSummary


class LabelingSessionProtocol(Protocol):
    """Every call blocks until it is done, and none tells the target of a trial that waits."""

    def begin(self) -> "SessionStart": ...
    def trials(self) -> tuple[BlindTrial, ...]: ...
    def open_trial(self, trial_id: str) -> "TrialStart": ...
    def keep(self, trial_id: str, kept: SavedTrial) -> None: ...
    def commit(self, answer: CommittedAnswer) -> AnswerOutcome: ...
    def unflag(self, trial_id: str) -> None: ...
    def end(self) -> None: ...
    def flag(
        self,
        trial_id: str,
        flag: TrialFlag,
        *,
        note: str,
        spent: TimeSpent,
        shown_at: str | None,
    ) -> None: ...


class LockableSessionProtocol(LabelingSessionProtocol, Protocol):
    """The evaluation's desk: trials can be marked, and answers locked for good."""

    def mark(self, trial_id: str, *, marked: bool) -> None: ...
    def lock(self) -> None: ...


class FeedbackSessionProtocol(LabelingSessionProtocol, Protocol):
    """The training's desk: what an image shows is told once its answer is stored."""

    def told(self, trial_id: str) -> "AnswerFeedback": ...
    def finish(self) -> "TrainingSummary": ...


SessionT = TypeVar("SessionT", bound=LabelingSessionProtocol)
