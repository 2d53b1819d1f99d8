"""An answer as a labeler submitted it, complete enough to be stored now or later."""

from dataclasses import dataclass

from labeler.core.study import Attention


@dataclass(frozen=True, slots=True)
class RecordedInterval:
    """A stretch of attention to one place, and the moments of every key and click in it.

    All are milliseconds of the session's monotonic clock.
    """

    place: Attention
    started_ms: int
    ended_ms: int
    inputs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedAnswer:
    """A labeler's answer to one trial, under an id of its own so that it is stored only once.

    `intervals` are those since the trial's last answer; the times are the trial's in all. An
    alternative makes the answer an escape hatch.
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
    intervals: tuple[RecordedInterval, ...] = ()

    @property
    def escape_hatch(self) -> bool:
        return self.alternative is not None
