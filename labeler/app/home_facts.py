"""What the home screen tells the person who signed in, gathered from the study."""

from dataclasses import dataclass
from datetime import datetime

from labeler.core.phases import Phase, PhaseState
from labeler.core.study import Role
from labeler.store.study import StudyStore


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase, what can be done in it now or why not, and whether this person can work in it."""

    phase: Phase
    state: PhaseState
    sentence: str
    can_work: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFacts:
    """How far the labeler who signed in is with the evaluation."""

    answered: int
    set_aside: int
    total: int
    active_ms: int
    draft_waits: bool
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelerProgress:
    """How far a labeler is, for the lead: counts, never what was answered."""

    code: str
    answered: int
    set_aside: int
    total: int
    locked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFacts:
    """`own` is there for a labeler, `labelers` for a lead.

    `backs_up` is false for a study on a server, which makes its own backups.
    """

    study_name: str
    code: str
    role: Role
    phases: tuple[PhaseFacts, ...]
    own: OwnFacts | None = None
    labelers: tuple[LabelerProgress, ...] = ()
    backs_up: bool = True
    last_backup_at: datetime | None = None


def home_facts(store: StudyStore, code: str, role: Role) -> HomeFacts:
    """Everything the home screen shows; no target and no accuracy is in it."""
    raise NotImplementedError
