"""What a labeler sees after an answer in a training, and at the end of a training.

These are the only types of a labeler's that name a target, and they are made after the answer is
stored: nothing that describes a waiting trial can hold one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from labeler.app.labeling.workbench_view import ChosenClass
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
    """The feedback to an answer, and the trials as they are after it."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """Whether the answer was right, and what the image shows in a few words and by its path.

    `details` says what else is accepted and what follows; `compared` are the classes to be seen
    side by side, the right one last. It is made after the answer is stored, and is a type of its
    own so that no view of a trial can hold a target.
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
    """`has_distinction` says whether the guide has a row for the two classes."""
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
    """The accepted labels that weren't named yet, and what became of an alternative."""
    named = (feedback.target, feedback.label)
    others = [name_class(wnid).name for wnid in feedback.accepted if wnid not in named]
    accepted = f"Accepted too: {', '.join(others)}." if others else ""
    if feedback.alternative is None:
        return accepted
    name = name_class(feedback.alternative).name
    fits = "right" if feedback.alternative in feedback.accepted else "not it either"
    return f"{accepted} Your alternative, {name}, is {fits}.".strip()


def _following(feedback: Feedback, *, has_distinction: bool) -> tuple[str, ...]:
    if feedback.right:
        return ()
    again = "It comes again in this training." if feedback.again else ""
    return again, "" if has_distinction else "The guide doesn't tell these two apart yet."
