"""The end of the task: a last chance to go back, then the lock."""

from dataclasses import dataclass, replace
from enum import StrEnum

from labeler.core.trial_order import TrialOrder


class FinishStage(StrEnum):
    """How far the labeler is with ending the task."""

    OPEN = "open"
    CONFIRMING = "confirming"
    LOCKING = "locking"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class MarkedTrial:
    """A trial that the labeler marked, known by its place alone."""

    trial_id: str
    position: int

    @property
    def title(self) -> str:
        return f"Trial {self.position:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishView:
    """What is done and what is marked; `failure` says why the lock didn't hold, if it didn't."""

    heading: str
    set_aside: str
    marked: tuple[MarkedTrial, ...]
    stage: FinishStage = FinishStage.OPEN
    failure: str = ""


class Finish:
    """Asks before it locks: locking takes two answers, and the second is never the default."""

    def __init__(self, order: TrialOrder) -> None:
        self.view = FinishView(
            heading=_heading(len(order) - order.set_aside),
            set_aside=_set_aside(order.set_aside),
            marked=tuple(MarkedTrial(t.trial_id, t.position) for t in order.marked),
        )

    def ask(self) -> FinishView:
        """The labeler wants to lock: ask whether they mean it."""
        if self.view.stage is FinishStage.OPEN:
            self._at(FinishStage.CONFIRMING)
        return self.view

    def keep_open(self) -> FinishView:
        """The labeler thought better of it."""
        if self.view.stage is FinishStage.CONFIRMING:
            self._at(FinishStage.OPEN)
        return self.view

    def lock(self) -> bool:
        """The labeler means it; true when the lock is to be asked for now, once."""
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


def _heading(answered: int) -> str:
    if answered == 1:
        return "The image is answered"
    return f"All {answered:,} images are answered"


def _set_aside(count: int) -> str:
    if not count:
        return ""
    return "1 image is set aside." if count == 1 else f"{count:,} images are set aside."
