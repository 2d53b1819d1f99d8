"""The summary of a training in words: its score, what was missed, and when it is due again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from labeler.app.training.feedback import MissedAnswer, TrainingSummary
from labeler.core.classes.taxonomy import Taxonomy

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ClassDueAgain:
    """A missed class, and when it is due again."""

    wnid: str
    name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedImageView:
    """A missed image, by number, with the class of the answer and the correct one."""

    image: int
    answer: str
    answer_name: str
    correct: str
    correct_name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSummaryView:
    """Everything on the summary page; `more` counts the images that the list omits."""

    heading: str
    right: int
    wrong: int
    facts: str
    again: tuple[ClassDueAgain, ...]
    missed: tuple[MissedImageView, ...]
    more: str


def training_summary_view(
    summary: TrainingSummary, *, taxonomy: Taxonomy, now: datetime
) -> TrainingSummaryView:
    names = taxonomy.display_names
    listed = [
        ClassDueAgain(each.wnid, names[each.wnid], _when(each.due, now=now))
        for each in summary.comes_back
    ]
    due = {each.wnid: each.when for each in listed}
    missed = [_missed(each, names, due.get(each.target, "")) for each in summary.missed]
    more = len(missed) - _SHOWN
    return TrainingSummaryView(
        heading=_heading(summary),
        right=summary.right,
        wrong=summary.wrong,
        facts=" · ".join(_facts(summary)),
        again=tuple(listed),
        missed=tuple(missed[:_SHOWN]),
        more=f"and {more:,} more" if more > 0 else "",
    )


def _missed(each: MissedAnswer, names: Mapping[str, str], when: str) -> MissedImageView:
    return MissedImageView(
        image=each.image,
        answer=each.label,
        answer_name=names[each.label],
        correct=each.target,
        correct_name=names[each.target],
        when=f"due again {when}" if when else "",
    )


def _heading(summary: "TrainingSummary") -> str:
    if not summary.answered:
        return "The training has ended"
    share = round(100 * summary.right / summary.answered)
    return f"{summary.right:,} of {summary.answered:,} right: {share} %"


def _facts(summary: "TrainingSummary") -> list[str]:
    aside = f"{summary.set_aside:,} flagged" if summary.set_aside else ""
    left = f"{summary.unanswered:,} not answered" if summary.unanswered else ""
    return [fact for fact in (aside, left) if fact]


def _when(due: datetime, *, now: datetime) -> str:
    days = (due.astimezone().date() - now.astimezone().date()).days
    if days <= 0:
        return "today"
    return "tomorrow" if days == 1 else f"in {days:,} days"
