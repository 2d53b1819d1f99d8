"""Dawid and Skene's model: estimate the true states and each reviewer's reliability together.

Every reviewer has a confusion matrix, the probability of each verdict given the true state, and the
states have a prior. They are estimated by expectation maximisation:

- start: a pair's probabilities are the shares of its verdicts, a soft majority vote;
- each step estimates the prior and the confusion matrices from the probabilities, adding
`SMOOTHING` to every count so that nothing is impossible, then the probabilities from those;
- a reviewer who shares no pair with another can't be measured, so their matrix stays at its initial
value; otherwise smoothing would make it drift to an uninformative one;
- iteration ends when no probability changes by `TOLERANCE` or more, or after `MAX_STEPS`;
- the resolved state is the most probable one; a tie is unclear.

Missing verdicts are ignored. A pair without verdicts stays open.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from labeler.core.review.resolution import OPEN, ResolvedStates
from labeler.core.review.verdict_table import UNCLEAR_CODE, VERDICT_ORDER, VerdictTable

Floats = npt.NDArray[np.float64]

SMOOTHING = 0.01
TOLERANCE = 1e-5
MAX_STEPS = 500
# Probabilities closer than this differ only by rounding.
_EQUAL = 1e-9
_STATES = len(VERDICT_ORDER)


@dataclass(frozen=True, slots=True)
class DawidSkeneEstimate:
    """The estimate, with states and verdicts in the order of their codes.

    `confusion[reviewer, state, verdict]` are probabilities; the probabilities of a pair without
    verdicts are NaN.
    """

    probabilities: Floats
    prior: Floats
    confusion: Floats
    steps: int
    converged: bool

    def resolved(self) -> ResolvedStates:
        """Return the most probable state of each pair."""
        known = ~np.isnan(self.probabilities[:, 0])
        filled = np.where(known[:, None], self.probabilities, 0.0)
        near_best = filled >= filled.max(axis=1, keepdims=True, initial=0.0) - _EQUAL
        tied = near_best.sum(axis=1) > 1
        states = np.where(tied, UNCLEAR_CODE, filled.argmax(axis=1))
        return ResolvedStates(
            np.where(known, states, OPEN), unsettled=int(np.count_nonzero(tied & known))
        )


def estimate_dawid_skene(table: VerdictTable) -> DawidSkeneEstimate:
    """Fit the model; the order of the verdicts only affects rounding."""
    judged = _SortedVerdicts.of(table)
    probabilities = judged.shares()
    steps, change = 0, np.inf
    prior, confusion = judged.parameters(probabilities)
    alone, initial_confusion = judged.alone(), confusion
    while change >= TOLERANCE and steps < MAX_STEPS:
        updated = judged.expected(prior, confusion)
        change = float(np.abs(updated - probabilities).max(initial=0.0))
        probabilities = updated
        prior, confusion = judged.parameters(probabilities)
        confusion[alone] = initial_confusion[alone]
        steps += 1
    return DawidSkeneEstimate(
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

    @staticmethod
    def of(table: VerdictTable) -> "_SortedVerdicts":
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
        )

    def shares(self) -> Floats:
        cells = np.bincount(
            self.rows * _STATES + self.verdicts, minlength=len(self.numbers) * _STATES
        )
        counts = cells.reshape(-1, _STATES).astype(np.float64)
        return _normalised(counts)

    def alone(self) -> npt.NDArray[np.bool_]:
        """Return which reviewers judged no pair that another reviewer judged."""
        shared = np.bincount(self.rows, minlength=1)[self.rows] > 1
        alone = np.ones(self.reviewer_count, np.bool_)
        alone[self.reviewers[shared]] = False
        return alone

    def parameters(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """The M step: estimate the prior of the states and every reviewer's confusion matrix."""
        prior = probabilities.sum(axis=0) + SMOOTHING
        cells = self.reviewers * _STATES + self.verdicts
        size = self.reviewer_count * _STATES
        weights = probabilities[self.rows]
        by_state = [
            np.bincount(cells, weights=weights[:, state], minlength=size).reshape(-1, _STATES)
            for state in range(_STATES)
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
            logs = np.empty((0, _STATES))
        odds = np.exp(logs - logs.max(axis=1, keepdims=True, initial=-np.inf))
        return _normalised(odds)

    def spread(self, probabilities: Floats, pair_count: int) -> Floats:
        all_pairs = np.full((pair_count, _STATES), np.nan)
        all_pairs[self.numbers] = probabilities
        return all_pairs


def _normalised(rows: Floats) -> Floats:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))
