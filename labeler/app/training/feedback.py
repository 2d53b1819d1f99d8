"""What a labeler sees after an answer in training, and at the end.

These are the only types for labelers that contain a target. They are created after the answer
is stored; nothing that describes an unanswered trial can contain one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from labeler.app.labeling.workbench_view import ChosenClass
from labeler.core.labeling.blind_types import BlindTrial

REPEATED = "This class will be repeated in this training."
NOT_IN_GUIDE = "The guide doesn't compare these two classes yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """An answer and what the image shows; `again` is true if the class is repeated soon."""

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
    """The feedback on an answer, and the trials after it."""

    feedback: Feedback
    trials: tuple[BlindTrial, ...]


@dataclass(frozen=True, slots=True)
class DueClass:
    """A class that was missed, and when it is due again."""

    wnid: str
    due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedAnswer:
    """An image by number that was missed: what was answered, and what it shows."""

    image: int
    label: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSummary:
    """A finished training: its score, what was missed, and when each missed class is due."""

    right: int
    wrong: int
    set_aside: int
    unanswered: int
    comes_back: tuple[DueClass, ...]
    missed: tuple[MissedAnswer, ...] = ()

    @property
    def answered(self) -> int:
        return self.right + self.wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """Whether the answer was right, and what the image shows, with its path in the taxonomy.

    `details` says what else is accepted and what follows; `compared` are the classes to compare,
    the right one last. It is created after the answer is stored, and is a separate type so that
    no view of a trial can contain a target.
    """

    right: bool
    word: str
    heading: str
    path: str
    details: str
    compared: tuple[str, ...]


def feedback_view(
    feedback: Feedback, *, name_class: Callable[[str], ChosenClass], has_distinction: bool
) -> FeedbackView:
    """Return the feedback; `has_distinction` says whether the guide compares the two classes."""
    shown = name_class(feedback.target)
    sentences = (
        _also(feedback, name_class),
        *_following(feedback, has_distinction=has_distinction),
    )
    return FeedbackView(
        right=feedback.right,
        word="Right" if feedback.right else "Wrong",
        heading=_heading(feedback, name_class(feedback.label).name, shown.name),
        path=shown.path,
        details=" ".join(sentence for sentence in sentences if sentence),
        compared=tuple(dict.fromkeys((feedback.label, feedback.target))),
    )


def _heading(feedback: Feedback, chosen: str, shown: str) -> str:
    if feedback.label == feedback.target:
        return shown
    return f"{chosen}, accepted along with {shown}" if feedback.right else f"{shown}, not {chosen}"


def _also(feedback: Feedback, name_class: Callable[[str], ChosenClass]) -> str:
    """Return the other accepted labels, and whether the alternative was right."""
    named = (feedback.target, feedback.label)
    others = [name_class(wnid).name for wnid in feedback.accepted if wnid not in named]
    accepted = f"Also accepted: {', '.join(others)}." if others else ""
    if feedback.alternative is None:
        return accepted
    name = name_class(feedback.alternative).name
    fits = "right" if feedback.alternative in feedback.accepted else "wrong"
    return f"{accepted} Your alternative, {name}, is {fits}.".strip()


def _following(feedback: Feedback, *, has_distinction: bool) -> tuple[str, ...]:
    if feedback.right:
        return ()
    again = REPEATED if feedback.again else ""
    return again, "" if has_distinction else NOT_IN_GUIDE
