"""The summary of a training in words: its score, and when missed classes are due again."""

from dataclasses import dataclass
from datetime import datetime

from labeler.app.training.feedback import TrainingSummary
from labeler.core.classes.taxonomy import Taxonomy

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ClassDueAgain:
    """A missed class, and when it is due again."""

    wnid: str
    name: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSummaryView:
    """Everything on the summary page; `more` counts the classes that the list omits."""

    heading: str
    right: int
    wrong: int
    facts: str
    again: tuple[ClassDueAgain, ...]
    more: str


def training_summary_view(
    summary: TrainingSummary, *, taxonomy: Taxonomy, now: datetime
) -> TrainingSummaryView:
    names = taxonomy.display_names
    listed = [
        ClassDueAgain(each.wnid, names[each.wnid], _when(each.due, now=now))
        for each in summary.comes_back
    ]
    more = len(listed) - _SHOWN
    return TrainingSummaryView(
        heading=_heading(summary),
        right=summary.right,
        wrong=summary.wrong,
        facts=" · ".join(_facts(summary)),
        again=tuple(listed[:_SHOWN]),
        more=f"and {more:,} more" if more > 0 else "",
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
