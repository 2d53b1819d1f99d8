"""Feedback as the training shows it: in words, for a strip below the image.

It is a type of its own, made after the answer is stored: no view of a trial can hold a target.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labeler.app.presenters.workbench_views import ChosenClass

if TYPE_CHECKING:
    from labeler.app.training.feedback import Feedback


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """Whether the answer was right; `compared` are the classes to be seen side by side.

    `also` says what else is accepted, `told` what follows from the answer.
    """

    trial_id: str
    right: bool
    word: str
    chosen: ChosenClass
    shown: ChosenClass
    also: str
    told: str
    compared: tuple[str, ...]


def feedback_view(
    feedback: "Feedback", *, name_class: Callable[[str], ChosenClass], is_told_apart: bool
) -> FeedbackView:
    """`is_told_apart` says whether the guide has a row for the two classes."""
    shown = name_class(feedback.target)
    return FeedbackView(
        trial_id=feedback.trial_id,
        right=feedback.right,
        word="Right" if feedback.right else "Wrong",
        chosen=name_class(feedback.label),
        shown=shown,
        also=_also(feedback, name_class),
        told=" ".join(_told(feedback, shown, is_told_apart=is_told_apart)),
        compared=tuple(dict.fromkeys((feedback.label, feedback.target))),
    )


def _also(feedback: "Feedback", name_class: Callable[[str], ChosenClass]) -> str:
    """The accepted labels besides the target, and what became of an alternative."""
    others = [name_class(w).name for w in feedback.accepted if w != feedback.target]
    accepted = f"Accepted too: {', '.join(others)}." if others else ""
    if feedback.alternative is None:
        return accepted
    name = name_class(feedback.alternative).name
    fits = "right" if feedback.alternative in feedback.accepted else "not it either"
    return f"{accepted} Your alternative, {name}, is {fits}.".strip()


def _told(feedback: "Feedback", shown: ChosenClass, *, is_told_apart: bool) -> list[str]:
    if feedback.right:
        return []
    again = f"{shown.name} comes again in this training." if feedback.again else ""
    gap = "" if is_told_apart else "The guide doesn't tell these two apart yet."
    return [sentence for sentence in (again, gap) if sentence]
