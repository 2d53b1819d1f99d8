"""What a trial starts from and what it ends with: a draft and an answer."""

from dataclasses import dataclass
from enum import StrEnum

from labeler.core.labeling.active_time import TimeSpent, TrialVisit


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedAnswer:
    """A labeler's answer to one trial, under an id of its own so that it is stored only once.

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


CONFIDENCE_LEVELS = 5

_NO_TIME = TimeSpent()


class TrialFlag(StrEnum):
    """What a labeler can say about a trial besides the answer."""

    KNOWN = "known"
    NOT_SHOWN = "not_shown"
    INAPPROPRIATE = "inappropriate"
    LATER = "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialDraft:
    """A trial as far as it has come; the default is one that no one has seen yet.

    `earlier` is the time stored with former revisions, `since` the time spent after them.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialAnswer:
    """A committed answer; its times are the trial's in all, up to this revision.

    `since` is the part of the time that no former revision has, and so what is to be stored.
    """

    revision: int
    label: str
    alternative: str | None
    confidence: int | None
    note: str
    flags: frozenset[TrialFlag]
    shown_at: str
    committed_at: str
    active_ms: int
    idle_ms: int
    wall_ms: int
    earlier: TimeSpent
    since: TimeSpent

    @property
    def escape_hatch(self) -> bool:
        return self.alternative is not None

    def reopened(self) -> TrialDraft:
        """Where the next revision starts: this answer, with all time spent so far kept."""
        return TrialDraft(
            revision=self.revision + 1,
            label=self.label,
            escape_hatch=self.escape_hatch,
            alternative=self.alternative,
            confidence=self.confidence,
            note=self.note,
            flags=self.flags,
            earlier=self.earlier + self.since,
        )
