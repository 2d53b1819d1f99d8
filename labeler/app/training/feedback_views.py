"""Feedback as the training shows it: in words, for a strip below the image.

It is a type of its own, made after the answer is stored: no view of a trial can hold a target.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labeler.app.labeling.workbench_view import ChosenClass

if TYPE_CHECKING:
    from labeler.app.training.feedback import Feedback


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """Whether the answer was right, and what the image shows in a few words and by its path.

    `told` says what else is accepted and what follows; `compared` are the classes to be seen side
    by side, the right one last.
    """

    right: bool
    word: str
    heading: str
    path: str
    told: str
    compared: tuple[str, ...]


def feedback_view(
    feedback: "Feedback", *, name_class: Callable[[str], ChosenClass], is_told_apart: bool
) -> FeedbackView:
    """`is_told_apart` says whether the guide has a row for the two classes."""
    shown = name_class(feedback.target)
    told = (_also(feedback, name_class), *_following(feedback, is_told_apart=is_told_apart))
    return FeedbackView(
        right=feedback.right,
        word="Right" if feedback.right else "Wrong",
        heading=_heading(feedback, name_class(feedback.label).name, shown.name),
        path=shown.path,
        told=" ".join(sentence for sentence in told if sentence),
        compared=tuple(dict.fromkeys((feedback.label, feedback.target))),
    )


def _heading(feedback: "Feedback", chosen: str, shown: str) -> str:
    if feedback.label == feedback.target:
        return shown
    return f"{chosen}, accepted beside {shown}" if feedback.right else f"{shown}, not {chosen}"


def _also(feedback: "Feedback", name_class: Callable[[str], ChosenClass]) -> str:
    """The accepted labels that weren't named yet, and what became of an alternative."""
    named = (feedback.target, feedback.label)
    others = [name_class(wnid).name for wnid in feedback.accepted if wnid not in named]
    accepted = f"Accepted too: {', '.join(others)}." if others else ""
    if feedback.alternative is None:
        return accepted
    name = name_class(feedback.alternative).name
    fits = "right" if feedback.alternative in feedback.accepted else "not it either"
    return f"{accepted} Your alternative, {name}, is {fits}.".strip()


def _following(feedback: "Feedback", *, is_told_apart: bool) -> tuple[str, ...]:
    if feedback.right:
        return ()
    again = "It comes again in this training." if feedback.again else ""
    return again, "" if is_told_apart else "The guide doesn't tell these two apart yet."
