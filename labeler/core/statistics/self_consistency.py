"""How often a person gives the same answer to the same question again, and how that changes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb

import numpy as np

from labeler.core.statistics.agreement import Codes, cohen_kappa
from labeler.core.statistics.proportions import clopper_pearson


class RepeatedTask(StrEnum):
    """What was asked twice: an image in the evaluation, or a label in a review."""

    EVALUATION = "evaluation"
    INITIAL_REVIEW = "initial_review"
    FINAL_REVIEW = "final_review"


@dataclass(frozen=True, slots=True)
class RepeatedAnswer:
    """Two answers of a person to the same question, as codes; `at` is the time of the second."""

    first: int
    second: int
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfConsistency:
    """A person's agreement with themselves over all pairs, and over both halves in time.

    The halves are by the time of the second answer; the earlier one has the extra pair of an odd
    number. `change` is the later share minus the earlier, `p_value` Fisher's exact test of it; both
    are None with fewer than two pairs.
    """

    participant: str
    task: RepeatedTask
    pairs: int
    same: int
    share: float
    ci_low: float
    ci_high: float
    kappa: float | None
    earlier_pairs: int
    earlier_same: int
    later_pairs: int
    later_same: int
    change: float | None
    p_value: float | None


def self_consistencies(
    answers: Iterable[tuple[str, RepeatedTask, Sequence[RepeatedAnswer]]],
) -> Iterator[SelfConsistency]:
    """Yield the consistency of each person and task with repeated answers."""
    for participant, task, pairs in answers:
        if pairs:
            yield self_consistency(participant, task, pairs)


def self_consistency(
    participant: str, task: RepeatedTask, pairs: Sequence[RepeatedAnswer]
) -> SelfConsistency:
    ordered = sorted(pairs, key=lambda pair: pair.at)
    same = [pair.first == pair.second for pair in ordered]
    middle = (len(same) + 1) // 2
    earlier, later = same[:middle], same[middle:]
    interval = clopper_pearson(sum(same), len(same))
    return SelfConsistency(
        participant=participant,
        task=task,
        pairs=len(same),
        same=sum(same),
        share=sum(same) / len(same),
        ci_low=float(interval.low),
        ci_high=float(interval.high),
        kappa=cohen_kappa(_codes(p.first for p in ordered), _codes(p.second for p in ordered)),
        earlier_pairs=len(earlier),
        earlier_same=sum(earlier),
        later_pairs=len(later),
        later_same=sum(later),
        change=_share(later) - _share(earlier) if later else None,
        p_value=_fisher_exact(earlier, later) if later else None,
    )


def _codes(values: Iterable[int]) -> Codes:
    return np.fromiter(values, np.int64)


def _share(same: Sequence[bool]) -> float:
    return sum(same) / len(same)


def _fisher_exact(earlier: Sequence[bool], later: Sequence[bool]) -> float:
    """Return the two-sided p of the table: same or not, in the earlier or the later half."""
    size, same = len(earlier) + len(later), sum(earlier) + sum(later)
    possible = range(max(0, same - len(later)), min(same, len(earlier)) + 1)
    weights = {n: comb(len(earlier), n) * comb(len(later), same - n) for n in possible}
    observed = weights[sum(earlier)]
    return sum(weight for weight in weights.values() if weight <= observed) / comb(size, same)
