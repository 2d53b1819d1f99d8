"""Dawid and Skene's model: estimate the true states and each reviewer's reliability together.

Every reviewer has a confusion matrix, the probability of each verdict given the true state, and the
states have a prior. The truth is binary (a label is wrong or correct, and *unclear* is only
something that reviewers say), or it has three states, of which *unclear* is one. Both are estimated
by expectation maximisation:

- start: a pair's probabilities are the shares of its verdicts, a soft majority vote; with a binary
truth an unclear verdict counts half for each state;
- each step estimates the prior and the confusion matrices from the probabilities, adding
`SMOOTHING` to every count so that nothing is impossible, then the probabilities from those;
- a reviewer who shares no pair with another can't be measured, so their matrix stays at its initial
value; otherwise smoothing would make it drift to an uninformative one. For the same reason a pair
that only such a reviewer judged, as unclear, keeps equal probabilities with a binary truth;
- iteration ends when no probability changes by `TOLERANCE` or more, or after `MAX_STEPS`;
- with three states, the resolved state is the most probable one, and a tie is unclear; with a
binary truth, a state needs a probability of at least `threshold`, otherwise the pair is unclear.

Missing verdicts are ignored. A pair without verdicts stays open.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from labeler.core.review.resolution import OPEN, ResolvedStates
from labeler.core.review.verdict_table import (
    UNCLEAR_CODE,
    VERDICT_CODES,
    VERDICT_ORDER,
    VerdictTable,
)
from labeler.core.study.entities import Verdict

Floats = npt.NDArray[np.float64]

SMOOTHING = 0.01
TOLERANCE = 1e-5
MAX_STEPS = 500
DEFAULT_THRESHOLD = 0.5
# Probabilities closer than this differ only by rounding.
_EQUAL = 1e-9
_VERDICTS = len(VERDICT_ORDER)
_WRONG, _CORRECT = VERDICT_CODES[Verdict.WRONG], VERDICT_CODES[Verdict.CORRECT]


class Truth(StrEnum):
    """Whether *unclear* is only a verdict (binary), or also a true state (three)."""

    BINARY = "binary"
    THREE = "three"


_STATES = {Truth.BINARY: (_WRONG, _CORRECT), Truth.THREE: tuple(range(_VERDICTS))}
assert set(_STATES) == set(Truth), "every truth has its states"


@dataclass(frozen=True, slots=True)
class DawidSkeneEstimate:
    """The estimate, with states and verdicts in the order of their codes.

    `probabilities` has a column for each verdict code, zero for what isn't a state; those of a pair
    without verdicts are NaN. `prior[state]` and `confusion[reviewer, state, verdict]` are
    probabilities; they have two states if the truth is binary.
    """

    truth: Truth
    probabilities: Floats
    prior: Floats
    confusion: Floats
    steps: int
    converged: bool

    def resolved(self, threshold: float = DEFAULT_THRESHOLD) -> ResolvedStates:
        """Return the state of each pair; `threshold` only applies to a binary truth."""
        known = ~np.isnan(self.probabilities[:, 0])
        filled = np.where(known[:, None], self.probabilities, 0.0)
        if self.truth is Truth.BINARY:
            reached = filled >= threshold - _EQUAL
        else:
            reached = filled >= filled.max(axis=1, keepdims=True, initial=0.0) - _EQUAL
        undecided = np.count_nonzero(reached, axis=1) != 1
        states = np.where(undecided, UNCLEAR_CODE, filled.argmax(axis=1))
        return ResolvedStates(
            np.where(known, states, OPEN), unsettled=int(np.count_nonzero(undecided & known))
        )


def estimate_dawid_skene(table: VerdictTable, truth: Truth = Truth.BINARY) -> DawidSkeneEstimate:
    """Fit the model; the order of the verdicts only affects rounding."""
    judged = _SortedVerdicts.of(table, _STATES[truth])
    probabilities = judged.initial()
    steps, change = 0, np.inf
    prior, confusion = judged.parameters(probabilities)
    alone, initial_confusion = judged.alone(), confusion
    undecidable = judged.undecidable(alone)
    while change >= TOLERANCE and steps < MAX_STEPS:
        updated = judged.expected(prior, confusion)
        updated[undecidable] = probabilities[undecidable]
        change = float(np.abs(updated - probabilities).max(initial=0.0))
        probabilities = updated
        prior, confusion = judged.parameters(probabilities)
        confusion[alone] = initial_confusion[alone]
        steps += 1
    return DawidSkeneEstimate(
        truth=truth,
        probabilities=judged.spread(probabilities, table.pair_count),
        prior=prior,
        confusion=confusion,
        steps=steps,
        converged=change < TOLERANCE,
    )


@dataclass(frozen=True, slots=True)
class _SortedVerdicts:
    """The verdicts sorted by pair, without unjudged pairs."""

    numbers: npt.NDArray[np.int64]  # the judged pairs
    rows: npt.NDArray[np.int64]  # by verdict, the index of its pair in `numbers`
    starts: npt.NDArray[np.int64]  # where the verdicts of each pair begin
    reviewers: npt.NDArray[np.int64]
    verdicts: npt.NDArray[np.int64]
    reviewer_count: int
    states: tuple[int, ...]  # the codes of the true states

    @staticmethod
    def of(table: VerdictTable, states: tuple[int, ...]) -> "_SortedVerdicts":
        order = np.lexsort((table.verdicts, table.reviewers, table.pairs))
        numbers, starts, rows = np.unique(
            table.pairs[order], return_index=True, return_inverse=True
        )
        return _SortedVerdicts(
            numbers=numbers,
            rows=rows,
            starts=starts,
            reviewers=table.reviewers[order],
            verdicts=table.verdicts[order],
            reviewer_count=int(table.reviewers.max(initial=-1)) + 1,
            states=states,
        )

    def initial(self) -> Floats:
        """Return the shares of each pair's verdicts; what isn't a state counts for all of them."""
        cells = np.bincount(
            self.rows * _VERDICTS + self.verdicts, minlength=len(self.numbers) * _VERDICTS
        )
        counts = cells.reshape(-1, _VERDICTS).astype(np.float64)
        of_states = counts[:, self.states]
        other = counts.sum(axis=1, keepdims=True) - of_states.sum(axis=1, keepdims=True)
        return _normalised(of_states + other / len(self.states))

    def alone(self) -> npt.NDArray[np.bool_]:
        """Return which reviewers judged no pair that another reviewer judged."""
        shared = np.bincount(self.rows, minlength=1)[self.rows] > 1
        alone = np.ones(self.reviewer_count, np.bool_)
        alone[self.reviewers[shared]] = False
        return alone

    def undecidable(self, alone: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return the rows of pairs whose only verdict is no state, by a reviewer who is alone."""
        no_state = ~np.isin(self.verdicts, self.states)
        return self.rows[no_state & alone[self.reviewers]]

    def parameters(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """The M step: estimate the prior of the states and every reviewer's confusion matrix."""
        prior = probabilities.sum(axis=0) + SMOOTHING
        cells = self.reviewers * _VERDICTS + self.verdicts
        size = self.reviewer_count * _VERDICTS
        weights = probabilities[self.rows]
        by_state = [
            np.bincount(cells, weights=weights[:, state], minlength=size).reshape(-1, _VERDICTS)
            for state in range(len(self.states))
        ]
        confusion = np.stack(by_state, axis=1) + SMOOTHING
        return prior / prior.sum(), confusion / confusion.sum(axis=2, keepdims=True)

    def expected(self, prior: Floats, confusion: Floats) -> Floats:
        """The E step: estimate each pair's probabilities from its verdicts."""
        log_likelihoods = np.log(confusion).transpose(0, 2, 1)[self.reviewers, self.verdicts]
        logs = np.log(prior)
        if len(log_likelihoods):
            logs = logs + np.add.reduceat(log_likelihoods, self.starts, axis=0)
        else:
            logs = np.empty((0, len(self.states)))
        odds = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
        return _normalised(odds)

    def spread(self, probabilities: Floats, pair_count: int) -> Floats:
        """Return a row for every pair, and a column for every verdict code."""
        all_pairs = np.full((pair_count, _VERDICTS), np.nan)
        all_pairs[self.numbers] = 0.0
        all_pairs[self.numbers[:, None], self.states] = probabilities
        return all_pairs


def _normalised(rows: Floats) -> Floats:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
