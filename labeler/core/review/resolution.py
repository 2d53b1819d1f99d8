"""Rules that resolve several verdicts on a label to one state.

A label with fewer verdicts than the quorum stays open and gets no state. If the verdicts don't
settle a label, its state is *unclear*.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from labeler.core.review.verdict_table import UNCLEAR_CODE, Codes, VerdictTable

Flags = npt.NDArray[np.bool_]

# Marks a label without a state.
OPEN = -1


@dataclass(frozen=True, slots=True)
class ResolvedStates:
    """The state code of each pair, or OPEN; and how many pairs the rule couldn't settle."""

    states: Codes
    unsettled: int

    @property
    def open(self) -> int:
        return int(np.count_nonzero(self.states == OPEN))


def resolve_single(table: VerdictTable, *, reviewer: int | None = None) -> ResolvedStates:
    """Take the verdict of one reviewer: the given one, or each pair's first.

    Other verdicts on the pair are ignored. Without a verdict of the given reviewer the pair stays
    open.
    """
    states = np.full(table.pair_count, OPEN, np.int64)
    order = np.argsort(-table.reviewers, kind="stable")
    if reviewer is not None:
        order = order[table.reviewers[order] == reviewer]
    # Written in reverse order, so that the first reviewer's verdict remains.
    states[table.pairs[order]] = table.verdicts[order]
    return ResolvedStates(states, unsettled=0)


def resolve_by_majority(table: VerdictTable, *, quorum: int = 1) -> ResolvedStates:
    """Take the verdict of more than half of the pair's reviewers; otherwise unclear."""
    counts = table.counts()
    most, given = counts.max(axis=1), counts.sum(axis=1)
    return _settled(counts, most * 2 > given, enough=_enough(given, quorum))


def resolve_unanimous(table: VerdictTable, *, quorum: int = 1) -> ResolvedStates:
    """Take the verdict of all of the pair's reviewers; otherwise unclear."""
    counts = table.counts()
    most, given = counts.max(axis=1), counts.sum(axis=1)
    return _settled(counts, most == given, enough=_enough(given, quorum))


def resolve_adjudicated(
    table: VerdictTable, *, group: Mapping[int, int] | None = None, quorum: int = 1
) -> ResolvedStates:
    """Take the group's verdict if the lead recorded one, otherwise decide by unanimity.

    `group` maps pairs to recorded verdict codes; they need no quorum.
    """
    counts = table.counts()
    recorded = np.full(table.pair_count, OPEN, np.int64)
    for pair, code in (group or {}).items():
        recorded[pair] = code
    most, given = counts.max(axis=1), counts.sum(axis=1)
    is_recorded = recorded != OPEN
    agreed = _settled(counts, (most == given) | is_recorded, enough=_enough(given, quorum))
    return ResolvedStates(np.where(is_recorded, recorded, agreed.states), agreed.unsettled)


def _enough(given: Codes, quorum: int) -> Flags:
    return np.asarray(given >= max(quorum, 1))


def _settled(counts: Codes, settled: Flags, *, enough: Flags) -> ResolvedStates:
    states = np.where(settled, counts.argmax(axis=1), UNCLEAR_CODE)
    unsettled = int(np.count_nonzero(~settled & enough))
    return ResolvedStates(np.where(enough, states, OPEN), unsettled)
