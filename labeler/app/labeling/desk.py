"""The desk at which a labeler answers the evaluation: every use case of the workbench."""

from labeler.app.journal import Journal
from labeler.app.labeling.kept_trial import KeptTrial
from labeler.app.labeling.outcomes import Outcome
from labeler.app.labeling.starting import Begun, TrialStart
from labeler.core.answers import CommittedAnswer
from labeler.core.blind import EncodedPicture
from labeler.core.time_spent import TimeSpent
from labeler.core.trial_record import TrialFlag
from labeler.store.study import StudyStore


class EvaluationDesk:
    """Blocking calls for one worker thread; `picture` alone may be called from others meanwhile.

    Refusals and faults are raised as sentences (`Refused`, `EnvironmentFault`); none of them, nor
    anything returned, tells a target, a dataset or a file.
    """

    def __init__(
        self, store: StudyStore, participant: str, *, journal: Journal | None = None
    ) -> None: ...

    def begin(self) -> Begun:
        """Store what waits in the journal, prepare the trials, and begin a session."""
        raise NotImplementedError

    def open_trial(self, trial_id: str) -> TrialStart:
        """What the trial starts from: its draft, else its last answer reopened, else nothing."""
        raise NotImplementedError

    def keep(self, trial_id: str, kept: KeptTrial) -> None:
        """Keep the trial as it is; quietly nothing once the answers are locked."""
        raise NotImplementedError

    def commit(self, answer: CommittedAnswer) -> Outcome:
        """Store the answer, or journal it for another try; committed again, it is stored once."""
        raise NotImplementedError

    def flag(
        self,
        trial_id: str,
        flag: TrialFlag,
        *,
        note: str,
        spent: TimeSpent,
        shown_at: str | None,
    ) -> None:
        """Set the trial aside as not shown or inappropriate; its time so far is kept."""
        raise NotImplementedError

    def unflag(self, trial_id: str) -> None:
        """Take back what the labeler flagged: the trial waits again unless it is answered."""
        raise NotImplementedError

    def mark(self, trial_id: str, *, marked: bool) -> None:
        """Note that the labeler wants to come back to the trial, or no longer does."""
        raise NotImplementedError

    def picture(self, trial_id: str) -> EncodedPicture:
        """The trial's image as it lies on disk; a fault is told without its place."""
        raise NotImplementedError

    def visited_guide(self, slug: str, *, trial_id: str | None, guide_version: str) -> None:
        """Note that a page of the guide was open, and during which trial."""
        raise NotImplementedError

    def lock(self) -> None:
        """Lock the answers for good; refused while a trial or a journaled answer waits."""
        raise NotImplementedError

    def end(self) -> None:
        """End the session."""
        raise NotImplementedError
