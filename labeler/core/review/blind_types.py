"""What may reach a reviewer's screen: no type here has a field for a source or another's verdict.

An image is known by the id of a visit to it, drawn from the plan's seed.
"""

from dataclasses import dataclass

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.study.entities import CorrectKind, ProblemReason, Verdict


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """What the reviewer said about a label."""

    verdict: Verdict
    kind: CorrectKind | None = None


@dataclass(frozen=True, slots=True)
class BlindLabel:
    """A label to judge, and the reviewer's own verdict on it so far."""

    wnid: str
    own: OwnVerdict | None = None


@dataclass(frozen=True, slots=True)
class BlindVisit:
    """An image to review with its labels, in an order that means nothing.

    `first` is the first visit to the image where this one asks a label a second time. It orders
    what is asked, and goes into no view.
    """

    visit_id: str
    labels: tuple[BlindLabel, ...]
    first: str | None = None

    @property
    def waits(self) -> bool:
        return any(label.own is None for label in self.labels)


@dataclass(frozen=True, slots=True)
class OwnFlag:
    """That the reviewer finds an image problematic, and why."""

    reasons: frozenset[ProblemReason]
    note: str = ""


@dataclass(frozen=True, slots=True)
class BlindFlagCheck:
    """An image about which a second reviewer is asked whether anything is wrong with it."""

    check_id: str
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Lap:
    """The raw time up to a verdict from the one before, numbered within the session from 1.

    Verdicts that were given at once, to several images of a class, share their lap.
    """

    number: int
    intervals: tuple[AttentionInterval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedVerdict:
    """A verdict to be stored; None takes back what was said."""

    visit_id: str
    label: str
    own: OwnVerdict | None
    at: str
    active_ms: int | None
    session_id: str
    lap: Lap | None = None
