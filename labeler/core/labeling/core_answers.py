"""An answer as a labeler submitted it, complete enough to be stored now or later."""

from dataclasses import dataclass

from labeler.core.labeling.time_spent import TrialVisit


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
