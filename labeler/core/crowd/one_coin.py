"""The one-coin model of Dawid and Skene: each annotator is right with one probability.

An image contains the label or not, with a common prior. Annotators are right with a probability of
their own, the same for both answers. Both are estimated by expectation maximisation, starting from
the share of annotators who selected the image, until no probability changes by `TOLERANCE`.
`SMOOTHING` is added to every count, so that nothing becomes impossible.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SMOOTHING = 0.01
TOLERANCE = 1e-7
MAX_STEPS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class ContainsJudgements:
    """Whether annotators selected images, as arrays of one length.

    `pairs` and `annotators` are numbers from 0; every one of them occurs.
    """

    pairs: Integers
    annotators: Integers
    selected: npt.NDArray[np.bool_]

    @property
    def pair_count(self) -> int:
        return int(self.pairs.max(initial=-1)) + 1

    @property
    def annotator_count(self) -> int:
        return int(self.annotators.max(initial=-1)) + 1


@dataclass(frozen=True, slots=True, eq=False)
class OneCoinEstimate:
    """The probability of each pair, and each annotator's probability of being right."""

    probabilities: Floats
    accuracies: Floats
    prior: float
    steps: int
    converged: bool


def estimate_one_coin(given: ContainsJudgements) -> OneCoinEstimate:
    """Fit the model."""
    shown = np.bincount(given.pairs, minlength=given.pair_count)
    chosen = np.bincount(given.pairs, weights=given.selected, minlength=given.pair_count)
    probabilities = chosen / shown
    prior, accuracies = _parameters(given, probabilities)
    steps, change = 0, np.inf
    while change >= TOLERANCE and steps < MAX_STEPS:
        updated = _expected(given, prior, accuracies)
        change = float(np.abs(updated - probabilities).max(initial=0.0))
        probabilities = updated
        prior, accuracies = _parameters(given, probabilities)
        steps += 1
    return OneCoinEstimate(probabilities, accuracies, prior, steps, change < TOLERANCE)


def _parameters(given: ContainsJudgements, probabilities: Floats) -> tuple[float, Floats]:
    """The M step."""
    prior = (probabilities.sum() + SMOOTHING) / (len(probabilities) + 2 * SMOOTHING)
    of_answer = probabilities[given.pairs]
    right = np.where(given.selected, of_answer, 1 - of_answer)
    count = given.annotator_count
    total = np.bincount(given.annotators, minlength=count)
    sums = np.bincount(given.annotators, weights=right, minlength=count)
    return float(prior), (sums + SMOOTHING) / (total + 2 * SMOOTHING)


def _expected(given: ContainsJudgements, prior: float, accuracies: Floats) -> Floats:
    """The E step, in log odds."""
    odds = np.log(accuracies) - np.log1p(-accuracies)
    signed = np.where(given.selected, odds[given.annotators], -odds[given.annotators])
    sums = np.bincount(given.pairs, weights=signed, minlength=given.pair_count)
    logits = np.clip(sums + np.log(prior) - np.log1p(-prior), -700, 700)
    return np.asarray(1 / (1 + np.exp(-logits)))
