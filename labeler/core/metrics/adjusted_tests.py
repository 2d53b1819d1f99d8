"""The families of tests, declared in advance, with Holm's adjustment within each.

A family is one question asked of several participants, datasets or subsets, by one metric.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from labeler.core.metrics.by_class import ClassResampling
from labeler.core.metrics.definitions import HumanAggregate, Metric
from labeler.core.metrics.gap_intervals import GapStatistics
from labeler.core.metrics.participant_pairs import McNemarResult
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.subsets import ALL, shown_subsets
from labeler.core.statistics.arrays import Flags
from labeler.core.statistics.multiple_tests import holm


class TestFamily(StrEnum):
    """The question of a family; a subset other than `all` has families of its own for gaps."""

    __test__ = False  # not a test of pytest

    GAP_GROUPS = "gap_groups"
    GAPS = "gaps"
    GAP_DIFFERENCES = "gap_differences"
    MCNEMAR_BEST_MODEL = "mcnemar_best_model"
    CLASS_RESAMPLING = "class_resampling"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedTest:
    """A test with its raw and its adjusted p; `tests` is the size of its family.

    `against` is the second participant of a pair, and empty otherwise; `dataset` is empty for
    gaps, which compare two.
    """

    family: TestFamily
    participant: str
    against: str
    dataset: str
    subset: str
    metric: Metric
    p_value: float
    p_value_holm: float
    tests: int


def adjusted_tests(
    scored: Sequence[ScoredDataset],
    gaps: GapStatistics,
    mcnemar: Iterable[McNemarResult],
    resamplings: Iterable[ClassResampling],
) -> Iterator[AdjustedTest]:
    """Yield every test that belongs to a family."""
    raw = [
        *_of_gaps(gaps),
        *_against_best_model(scored, mcnemar),
        *_of_resamplings(scored, resamplings),
    ]
    families: dict[tuple[TestFamily, Metric, str], list[AdjustedTest]] = {}
    for test in raw:
        by_subset = test.subset if test.family is not TestFamily.CLASS_RESAMPLING else ""
        families.setdefault((test.family, test.metric, by_subset), []).append(test)
    for tests in families.values():
        adjusted = holm(np.array([test.p_value for test in tests]))
        for test, p_value in zip(tests, adjusted.tolist(), strict=True):
            yield replace(test, p_value_holm=p_value, tests=len(tests))


def _of_gaps(gaps: GapStatistics) -> Iterator[AdjustedTest]:
    for group in gaps.groups:
        yield _test(
            TestFamily.GAP_GROUPS, str(group.group), group.p_value, group.metric, group.subset
        )
    for row in gaps.participants:
        yield _test(TestFamily.GAPS, row.participant, row.p_value, row.metric, row.subset)
    for pair in gaps.differences:
        yield _test(
            TestFamily.GAP_DIFFERENCES, pair.human, pair.p_value, pair.metric, against=pair.model
        )


def _test(
    family: TestFamily,
    participant: str,
    p_value: float,
    metric: Metric,
    subset: str = ALL,
    *,
    against: str = "",
    dataset: str = "",
) -> AdjustedTest:
    return AdjustedTest(
        family=family,
        participant=participant,
        against=against,
        dataset=dataset,
        subset=subset,
        metric=metric,
        p_value=p_value,
        p_value_holm=p_value,
        tests=1,
    )


def _against_best_model(
    scored: Sequence[ScoredDataset], mcnemar: Iterable[McNemarResult]
) -> Iterator[AdjustedTest]:
    """Yield every human against the best model of each dataset."""
    humans = set(scored[0].study.humans) if scored else set()
    best = {
        (one.name, metric): best_model(one, metric)
        for one in scored
        for metric in (Metric.TOP1, Metric.MULTI_LABEL)
    }
    for row in mcnemar:
        if row.subset == ALL and row.a in humans and row.b == best[row.dataset, row.metric]:
            yield _test(
                TestFamily.MCNEMAR_BEST_MODEL,
                row.a,
                row.p_value,
                row.metric,
                against=row.b,
                dataset=row.dataset,
            )


def best_model(scored: ScoredDataset, metric: Metric) -> str | None:
    """Return the model with the highest accuracy; the first of equals."""
    table = scored.table(metric)
    column = table.subsets.index(ALL)
    shares = np.nan_to_num(table.share[table.humans :, column], nan=-1.0)
    if not len(shares) or shares.max() < 0:
        return None
    return table.participants[table.humans + int(np.argmax(shares))]


def _of_resamplings(
    scored: Sequence[ScoredDataset], resamplings: Iterable[ClassResampling]
) -> Iterator[AdjustedTest]:
    """Yield the humans and their mean on the subsets that differ from each other."""
    if not scored:
        return
    shown = {*scored[0].study.humans, str(HumanAggregate.MEAN)}
    subsets = scored[0].subsets

    def members_of(key: str) -> Flags:
        return np.concatenate([one.members_of(key) for one in scored])

    kept = shown_subsets(
        (s.key for s in subsets if s.tested and not s.is_superclass),
        members_of,
        {s.key: s.title for s in subsets},
        besides=(ALL,),
    ).keys
    for row in resamplings:
        if row.participant in shown and row.subset in kept:
            yield _test(
                TestFamily.CLASS_RESAMPLING,
                row.participant,
                row.p_value_two_sided,
                row.metric,
                row.subset,
                dataset=row.dataset,
            )
