"""What a reviewer's screen may show: no type here has a field for sources or others' verdicts.

An image is identified by the id of a visit, which is derived from the plan's seed.
"""

from dataclasses import dataclass

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.study.entities import CorrectKind, ProblemReason, Verdict


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """The reviewer's own verdict on a label."""

    verdict: Verdict
    kind: CorrectKind | None = None


@dataclass(frozen=True, slots=True)
class BlindLabel:
    """A label to judge, and the reviewer's own verdict so far."""

    wnid: str
    own: OwnVerdict | None = None


@dataclass(frozen=True, slots=True)
class BlindVisit:
    """An image to review with its labels, in a meaningless order.

    `first` is the first visit to the image if this visit repeats a label. It only affects the order
    of visits and is never shown.
    """

    visit_id: str
    labels: tuple[BlindLabel, ...]
    first: str | None = None

    @property
    def waits(self) -> bool:
        return any(label.own is None for label in self.labels)


@dataclass(frozen=True, slots=True)
class OwnFlag:
    """The reviewer marked an image as problematic, and why."""

    reasons: frozenset[ProblemReason]
    note: str = ""


@dataclass(frozen=True, slots=True)
class BlindFlagCheck:
    """An image that a second reviewer is asked to check for problems."""

    check_id: str
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Lap:
    """The raw time since the previous verdict, numbered within the session from 1.

    Verdicts given to several images of a class at once share a lap.
    """

    number: int
    intervals: tuple[AttentionInterval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedVerdict:
    """A verdict to store; None as `own` withdraws the earlier one."""

    visit_id: str
    label: str
    own: OwnVerdict | None
    at: str
    active_ms: int | None
    session_id: str
    lap: Lap | None = None
