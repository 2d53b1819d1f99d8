"""What a workbench needs of a labeler's desk: what every task needs, and what each adds."""

from typing import TYPE_CHECKING, Protocol, TypeVar

from labeler.app.labeling.kept_trial import KeptTrial
from labeler.app.labeling.outcomes import Outcome
from labeler.core.labeling.answers import TrialFlag
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.core.labeling.time_spent import TimeSpent

if TYPE_CHECKING:
    from labeler.app.labeling.starting import Begun, TrialStart
    from labeler.app.training.feedback import Told, TrainingSummary


class Desk(Protocol):
    """Every call blocks until it is done, and none tells the target of a trial that waits."""

    def begin(self) -> "Begun": ...
    def trials(self) -> tuple[BlindTrial, ...]: ...
    def open_trial(self, trial_id: str) -> "TrialStart": ...
    def keep(self, trial_id: str, kept: KeptTrial) -> None: ...
    def commit(self, answer: CommittedAnswer) -> Outcome: ...
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


class LockingDesk(Desk, Protocol):
    """The evaluation's desk: trials can be marked, and answers locked for good."""

    def mark(self, trial_id: str, *, marked: bool) -> None: ...
    def lock(self) -> None: ...


class TellingDesk(Desk, Protocol):
    """The training's desk: what an image shows is told once its answer is stored."""

    def told(self, trial_id: str) -> "Told": ...
    def finish(self) -> "TrainingSummary": ...


DeskOfTask = TypeVar("DeskOfTask", bound=Desk)
