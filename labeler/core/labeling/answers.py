"""An answer in progress and a committed answer."""

from dataclasses import dataclass
from enum import StrEnum

from labeler.core.labeling.active_time import TimeSpent, TrialVisit

_NO_TIME = TimeSpent()


class TrialFlag(StrEnum):
    """What a labeler can say about a trial besides the answer."""

    KNOWN = "known"
    NOT_SHOWN = "not_shown"
    INAPPROPRIATE = "inappropriate"
    LATER = "later"


class Question(StrEnum):
    """What labelers are asked next to the class, if the lead wants it."""

    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """An answer in progress; the default is that of a trial without any work on it.

    `earlier` is the time stored with former revisions, `since` the time spent after them.
    `shortlist` and `query` restore the class tools when the labeler returns to the trial.
    """

    revision: int = 1
    label: str | None = None
    escape_hatch: bool = False
    alternative: str | None = None
    confidence: int | None = None
    note: str = ""
    flags: frozenset[TrialFlag] = frozenset()
    shown_at: str | None = None
    earlier: TimeSpent = _NO_TIME
    since: TimeSpent = _NO_TIME
    shortlist: tuple[str, ...] = ()
    query: str = ""

    @property
    def said(self) -> tuple[object, ...]:
        """What the labeler says about the image, without time and tools."""
        knows = TrialFlag.KNOWN in self.flags
        answer = self.label, self.escape_hatch, self.alternative
        return *answer, self.confidence, self.note, knows

    @property
    def needs_alternative(self) -> bool:
        """Whether the next chosen class is the alternative of the escape hatch."""
        return self.escape_hatch and self.alternative is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedAnswer:
    """A labeler's answer to one trial; its id makes sure that it is stored only once.

    `visits` are those since the trial's last answer, several when the program ended in between;
    the times are the trial's in all. An alternative makes the answer an escape hatch.
    """

    answer_id: str
    trial_id: str
    session_id: str
    label: str
    alternative: str | None = None
    confidence: int | None = None
    note: str = ""
    knows_image: bool = False
    shown_at: str
    submitted_at: str
    active_ms: int
    wall_ms: int
    visits: tuple[TrialVisit, ...] = ()

    @property
    def escape_hatch(self) -> bool:
        return self.alternative is not None
