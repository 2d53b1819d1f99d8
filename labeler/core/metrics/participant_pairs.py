"""Pairs of participants: McNemar's test and error consistency."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.error_consistency import error_consistency
from labeler.core.statistics.mcnemar import mcnemar_p
from labeler.core.statistics.packed_flags import common_counts


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarResult:
    """McNemar's test of two participants on the images that both answered."""

    a: str
    b: str
    dataset: str
    subset: str
    metric: Metric
    images: int
    only_a_correct: int
    only_b_correct: int
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorConsistency:
    """A human and a model on the images that both answered; kappa is None where undefined."""

    human: str
    model: str
    dataset: str
    metric: Metric
    images: int
    observed: float
    expected: float
    kappa: float | None


def mcnemar_tests(
    scored: ScoredDataset, metric: Metric, subset: str = ALL
) -> Iterator[McNemarResult]:
    """Yield the test of every two participants with images in common."""
    counts = scored.counted(metric) & scored.members_of(subset)
    right = scored.right(metric) & counts
    only = common_counts(right, counts & ~right)
    both = common_counts(counts, counts)
    one, other = np.triu_indices(len(counts), k=1)
    overlapping = both[one, other] > 0
    one, other = one[overlapping], other[overlapping]
    p_values = mcnemar_p(only[one, other], only[other, one])
    columns = (one, other, both[one, other], only[one, other], only[other, one], p_values)
    names = scored.study.participants
    for a, b, images, only_a, only_b, p in zip(*(c.tolist() for c in columns), strict=True):
        yield McNemarResult(
            a=names[a],
            b=names[b],
            dataset=scored.name,
            subset=subset,
            metric=metric,
            images=images,
            only_a_correct=only_a,
            only_b_correct=only_b,
            p_value=p,
        )


def error_consistencies(scored: ScoredDataset, metric: Metric) -> Iterator[ErrorConsistency]:
    """Yield every human compared with every model, on all evaluated images."""
    counts = scored.counted(metric) & scored.members_of()
    right, humans = scored.right(metric) & counts, scored.marks.humans
    found = error_consistency(
        correct=right[:humans],
        answered=counts[:humans],
        other_correct=right[humans:],
        other_answered=counts[humans:],
    )
    for human, model in zip(*np.nonzero(found.images), strict=True):
        kappa = float(found.kappa[human, model])
        yield ErrorConsistency(
            human=scored.study.humans[human],
            model=scored.study.models[model],
            dataset=scored.name,
            metric=metric,
            images=int(found.images[human, model]),
            observed=float(found.observed[human, model]),
            expected=float(found.expected[human, model]),
            kappa=None if np.isnan(kappa) else kappa,
        )
