"""The end of the task: answers can be reviewed once more, then locked."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from labeler.app.time_text import format_duration
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial_order import TrialOrder

ALL_FLAGGED = "All images are flagged"

IMAGE_ANSWERED = "The image is answered"


class FinishStage(StrEnum):
    """How far the labeler is with ending the task."""

    OPEN = "open"
    CONFIRMING = "confirming"
    LOCKING = "locking"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class TrialLink:
    """A link to a trial, which is identified by its position alone."""

    trial_id: str
    position: int

    @property
    def title(self) -> str:
        return f"Image {self.position:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishView:
    """What is done, marked and flagged; `failure` says why locking failed, if it did."""

    heading: str
    time: str
    unanswered: str
    marked: tuple[TrialLink, ...]
    flagged: tuple[TrialLink, ...]
    stage: FinishStage = FinishStage.OPEN
    failure: str = ""


class FinishPresenter:
    """Asks for confirmation before it locks; confirming is never the default."""

    def __init__(self, order: TrialOrder) -> None:
        self.view = FinishView(
            heading=_heading(len(order) - order.set_aside),
            time="",
            unanswered=_unanswered(order.set_aside),
            marked=_trial_links(order.marked),
            flagged=_trial_links(trial for trial in order.all if trial.flagged),
        )

    def set_time(self, active_ms: int) -> FinishView:
        """Set the labeler's active time, once it has been read."""
        self.view = replace(self.view, time=f"Active time: {format_duration(active_ms)}.")
        return self.view

    def ask(self) -> FinishView:
        """Ask for confirmation."""
        if self.view.stage is FinishStage.OPEN:
            self._at(FinishStage.CONFIRMING)
        return self.view

    def keep_open(self) -> FinishView:
        """Cancel locking."""
        if self.view.stage is FinishStage.CONFIRMING:
            self._at(FinishStage.OPEN)
        return self.view

    def lock(self) -> bool:
        """Confirm; return whether to lock now, which is true only once."""
        if self.view.stage is not FinishStage.CONFIRMING:
            return False
        self._at(FinishStage.LOCKING)
        return True

    def locked(self) -> FinishView:
        return self._at(FinishStage.LOCKED)

    def failed(self, sentence: str) -> FinishView:
        self._at(FinishStage.OPEN)
        self.view = replace(self.view, failure=sentence)
        return self.view

    def _at(self, stage: FinishStage) -> FinishView:
        self.view = replace(self.view, stage=stage, failure="")
        return self.view


def _trial_links(trials: Iterable[BlindTrial]) -> tuple[TrialLink, ...]:
    return tuple(TrialLink(trial.trial_id, trial.position) for trial in trials)


def _heading(answered: int) -> str:
    if not answered:
        return ALL_FLAGGED
    if answered == 1:
        return IMAGE_ANSWERED
    return f"All {answered:,} images are answered"


def _unanswered(count: int) -> str:
    if not count:
        return ""
    images = "1 image is" if count == 1 else f"{count:,} images are"
    return f"{images} flagged instead of answered."
