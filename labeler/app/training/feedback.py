"""What a labeler is told after an answer in a training, and at a training's end.

These are the only types of a labeler's that name a target, and they are made after the answer is
stored: nothing that describes a waiting trial can hold one.
"""

from dataclasses import dataclass
from datetime import datetime

from labeler.core.labeling.blind_types import BlindTrial


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """An answer and what the image shows; `again` tells that the class comes again soon."""

    trial_id: str
    label: str
    target: str
    accepted: tuple[str, ...]
    alternative: str | None
    again: bool

    @property
    def right(self) -> bool:
        return self.label in self.accepted


@dataclass(frozen=True, slots=True)
class AnswerFeedback:
    """The feedback to an answer, and the trials as they stand after it."""

    feedback: Feedback
    trials: tuple[BlindTrial, ...]


@dataclass(frozen=True, slots=True)
class DueClass:
    """A class that was missed, and when it is due again."""

    wnid: str
    due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSummary:
    """A training at its end: what was right, and which classes come back when."""

    right: int
    wrong: int
    set_aside: int
    unanswered: int
    comes_back: tuple[DueClass, ...]

    @property
    def answered(self) -> int:
        return self.right + self.wrong
