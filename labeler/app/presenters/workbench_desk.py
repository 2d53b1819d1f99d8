"""What the workbench needs of a labeler's desk."""

from typing import TYPE_CHECKING, Protocol

from labeler.app.labeling.kept_trial import KeptTrial
from labeler.app.labeling.outcomes import Outcome
from labeler.core.answers import CommittedAnswer
from labeler.core.time_spent import TimeSpent
from labeler.core.trial_record import TrialFlag

if TYPE_CHECKING:
    from labeler.app.labeling.starting import Begun, TrialStart


class Desk(Protocol):
    """Every call blocks until it is done, and none tells a target."""

    def begin(self) -> "Begun": ...
    def open_trial(self, trial_id: str) -> "TrialStart": ...
    def keep(self, trial_id: str, kept: KeptTrial) -> None: ...
    def commit(self, answer: CommittedAnswer) -> Outcome: ...
    def unflag(self, trial_id: str) -> None: ...
    def mark(self, trial_id: str, *, marked: bool) -> None: ...
    def lock(self) -> None: ...
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
