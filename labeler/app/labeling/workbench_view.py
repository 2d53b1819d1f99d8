"""What the workbench shows: frozen views that contain nothing a labeler must not know.

`Pixels` is the type from which the screen paints an image.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from labeler.app.pace import Pace
from labeler.core.labeling.answers import Question, TrialFlag
from labeler.core.labeling.blind_types import BlindImage, BlindTrial
from labeler.core.labeling.trial import Trial
from labeler.core.labeling.trial_order import TrialOrder

Pixels = TypeVar("Pixels", covariant=True)


# Why an image is flagged, as it is reported after "flagged:".
FLAG_TITLES = {
    TrialFlag.NOT_SHOWN: "can't be seen properly",
    TrialFlag.INAPPROPRIATE: "inappropriate",
}


class WorkbenchStage(Enum):
    """Where the labeler is in the task."""

    OPENING = "opening"
    TRIAL = "trial"
    PAUSED = "paused"
    STORING = "storing"
    NOT_STORED = "not_stored"
    FEEDBACK = "feedback"
    FINISHED = "finished"
    LOCKED = "locked"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ChosenClass:
    """A class as the answer bar shows it."""

    wnid: str
    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """The answer in progress.

    `is_changed` tells that it isn't what was submitted last, `before` which other class was.
    """

    label: ChosenClass | None = None
    escape_hatch: bool = False
    alternative: ChosenClass | None = None
    confidence: int | None = None
    questions: frozenset[Question] = frozenset()
    note: str = ""
    knows_image: bool = False
    flags: frozenset[TrialFlag] = frozenset()
    is_revision: bool = False
    is_changed: bool = False
    before: ChosenClass | None = None

    @property
    def complete(self) -> bool:
        """Whether the answer can be submitted."""
        return self.label is not None and not self.needs_alternative

    @property
    def needs_alternative(self) -> bool:
        """Whether the next chosen class is the alternative of the escape hatch."""
        return self.escape_hatch and self.alternative is None


def answer_view(trial: Trial, name_class: Callable[[str], ChosenClass]) -> AnswerView:
    """Return a view of the trial's answer."""
    draft, submitted = trial.draft(), trial.submitted
    before = None if submitted is None or submitted.label == draft.label else submitted.label
    return AnswerView(
        label=name_class(draft.label) if draft.label else None,
        escape_hatch=draft.escape_hatch,
        alternative=name_class(draft.alternative) if draft.alternative else None,
        confidence=draft.confidence,
        questions=trial.questions,
        note=draft.note,
        knows_image=TrialFlag.KNOWN in draft.flags,
        flags=draft.flags,
        is_revision=draft.revision > 1,
        is_changed=submitted is not None and submitted.said != draft.said,
        before=name_class(before) if before else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialProgressView:
    """The labeler's progress; the pace is this session's mean active time per answer."""

    done: int = 0
    left: int = 0
    total: int = 0
    set_aside: int = 0
    pace_ms: int | None = None


def progress_view(order: TrialOrder, pace: Pace) -> TrialProgressView:
    return TrialProgressView(
        done=order.done,
        left=order.left,
        total=len(order),
        set_aside=order.set_aside,
        pace_ms=pace.mean_ms,
    )


@dataclass(frozen=True, slots=True)
class ClockView:
    """Active time, if the clock is shown."""

    trial_ms: int
    session_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbenchView(Generic[Pixels]):
    """Everything on the workbench but the classes; no `progress` before all trials are loaded.

    `notice` answers what the labeler just did; `problem` is a sentence that stays until it is over.
    """

    stage: WorkbenchStage = WorkbenchStage.OPENING
    trial: BlindTrial | None = None
    image: BlindImage[Pixels] | None = None
    answer: AnswerView = AnswerView()
    progress: TrialProgressView | None = None
    recent: tuple[ChosenClass, ...] = ()
    notice: str = ""
    problem: str = ""

    @property
    def can_submit(self) -> bool:
        return self.stage is WorkbenchStage.TRIAL and self.answer.complete

    @property
    def flagged(self) -> str:
        """A text that says why the image is flagged; empty if it isn't."""
        reasons = [words for flag, words in FLAG_TITLES.items() if flag in self.flags]
        return f"Flagged: {' and '.join(reasons)}" if reasons else ""

    @property
    def flags(self) -> frozenset[TrialFlag]:
        """Why the image is flagged; a draft may contain flags that were removed since."""
        is_flagged = self.trial is not None and self.trial.flagged
        return self.answer.flags & FLAG_TITLES.keys() if is_flagged else frozenset()
