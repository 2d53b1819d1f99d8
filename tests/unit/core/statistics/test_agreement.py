"""Agreement between raters, against cases worked by hand and against NLTK."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from labeler.core.statistics.agreement import (
    Agreement,
    Judgements,
    agreement,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    rater_pairs,
)

# Krippendorff's own example (Computing Krippendorff's Alpha-Reliability, 2011): four observers.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
# Fleiss' example as it is usually printed: how many of 14 raters gave each of five values.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def judged(rows: Sequence[Sequence[int | None]]) -> Judgements:
    """One row a rater, one column a unit."""
    triples = [
        (unit, rater, value)
        for rater, row in enumerate(rows)
        for unit, value in enumerate(row)
        if value is not None
    ]
    units, raters, values = np.array(triples, np.int64).reshape(-1, 3).T
    return Judgements(units, raters, values)


def nltk_task(judgements: Judgements) -> AnnotationTask:
    columns = judgements.raters, judgements.units, judgements.values
    return AnnotationTask([tuple(map(str, row)) for row in zip(*columns, strict=True)])


complete_tables = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(0, 2), min_size=raters, max_size=raters), min_size=2, max_size=30
    )
)
holed_tables = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.none() | st.integers(0, 3), min_size=raters, max_size=raters),
        min_size=1,
        max_size=30,
    )
)


def test_krippendorffs_own_example_gives_his_alpha() -> None:
    assert krippendorff_alpha(judged(KRIPPENDORFF)) == pytest.approx(0.743, abs=5e-4)


def test_fleiss_own_example_gives_his_kappa() -> None:
    by_unit = [[value for value, count in enumerate(row) for _ in range(count)] for row in FLEISS]
    raters = list(zip(*by_unit, strict=True))
    assert fleiss_kappa(judged(raters)) == pytest.approx(0.210, abs=5e-4)


def test_cohens_kappa_of_the_four_fields_20_5_10_15() -> None:
    one = np.repeat([1, 1, 0, 0], [20, 5, 10, 15])
    other = np.repeat([1, 0, 1, 0], [20, 5, 10, 15])
    assert cohen_kappa(one, other) == pytest.approx(0.4)


def test_percent_pools_the_pairs_of_every_unit() -> None:
    # Three agree: three pairs of three. Two differ: none of one.
    assert percent_agreement(judged([[1, 0], [1, 1], [1, None]])) == pytest.approx(3 / 4)


def test_a_unit_that_one_rater_judged_tells_nothing() -> None:
    with_it = agreement(judged([[0, 1, 1, 2], [0, 1, 2, None]]))
    without = agreement(judged([[0, 1, 1], [0, 1, 2]]))
    assert with_it == without
    assert with_it.units == 3


def test_a_pair_of_raters_tells_on_how_many_units_it_rests() -> None:
    pairs = list(rater_pairs(judged([[0, 1, None], [0, 0, 1], [None, None, 1]])))
    found = [(pair.one, pair.other, pair.units, pair.agreeing) for pair in pairs]
    assert found == [(0, 1, 2, 1), (1, 2, 1, 1)]


def test_nothing_is_beyond_chance_where_everybody_says_the_same() -> None:
    result = agreement(judged([[1, 1], [1, 1]]))
    assert result == Agreement(
        raters=2, units=2, percent=1.0, cohen=None, fleiss=None, krippendorff=None
    )


def test_without_a_shared_unit_there_is_no_agreement_to_tell() -> None:
    for rows in ([[0, None], [None, 1]], [[None]]):
        result = agreement(judged(rows))
        assert result.units == 0
        assert result.percent is result.cohen is result.fleiss is result.krippendorff is None


def test_a_rater_who_judges_a_unit_twice_is_a_defect() -> None:
    twice = np.array([0, 0])
    with pytest.raises(ValueError, match="at most once"):
        Judgements(twice, twice, np.array([0, 1]))


@settings(max_examples=60, deadline=None)
@given(complete_tables)
def test_complete_tables_agree_with_nltk(by_unit: list[list[int]]) -> None:
    judgements = judged(list(zip(*by_unit, strict=True)))
    task = nltk_task(judgements)
    assert percent_agreement(judgements) == pytest.approx(task.avg_Ao())
    if len(set(judgements.values.tolist())) > 1:
        assert fleiss_kappa(judgements) == pytest.approx(task.pi())
        assert krippendorff_alpha(judgements) == pytest.approx(task.alpha())
    for pair in rater_pairs(judgements):
        if pair.kappa is not None:
            theirs = task.kappa_pairwise(str(pair.one), str(pair.other))
            assert pair.kappa == pytest.approx(theirs)


@settings(max_examples=60, deadline=None)
@given(holed_tables)
def test_alpha_agrees_with_nltk_where_judgements_are_missing(
    by_unit: list[list[int | None]],
) -> None:
    shared = judged(list(zip(*by_unit, strict=True))).of_shared_units()
    if len(set(shared.values.tolist())) > 1:
        assert krippendorff_alpha(shared) == pytest.approx(nltk_task(shared).alpha())


@settings(max_examples=40, deadline=None)
@given(holed_tables, st.randoms(use_true_random=False))
def test_no_figure_depends_on_the_order_of_the_judgements(
    by_unit: list[list[int | None]], random: object
) -> None:
    judgements = judged(list(zip(*by_unit, strict=True)))
    order = np.arange(len(judgements.units))
    random.shuffle(order)  # type: ignore[attr-defined]
    mixed = Judgements(judgements.units[order], judgements.raters[order], judgements.values[order])
    assert agreement(mixed) == agreement(judgements)
