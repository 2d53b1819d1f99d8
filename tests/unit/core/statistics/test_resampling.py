"""Class resampling and class averages, against loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.statistics.class_resampling import (
    ClassCounts,
    class_average,
    class_resampling,
    mean_resampling,
)
from labeler.core.statistics.random_draws import RandomKeys, generator, lowest_by_key, random_keys

TRIALS = 40


@st.composite
def counted(draw: st.DrawFn) -> tuple[ClassCounts, list[bool]]:
    """Two participants' answers by class, and a subset of the classes that isn't empty."""
    totals = draw(st.lists(st.integers(1, 4), min_size=2, max_size=6))
    correct = [[draw(st.integers(0, n)) for n in totals] for _ in range(2)]
    subset = draw(st.lists(st.booleans(), min_size=len(totals), max_size=len(totals)).filter(any))
    return ClassCounts(np.array(correct), np.array([totals, totals])), subset


def lots_for(classes: int) -> RandomKeys:
    return random_keys(generator(7, "test"), of=classes, times=TRIALS)


@given(counted())
@settings(max_examples=60)
def test_trials_are_counted_as_a_loop_would(case: tuple[ClassCounts, list[bool]]) -> None:
    counts, subset = case
    drawn = lots_for(len(subset))
    done = class_resampling(counts, np.array(subset), drawn)
    for person in range(2):
        change, k, below, above = _slow(counts, person, subset, drawn)
        assert done.change[person] == pytest.approx(change, abs=1e-12)
        assert done.at_least_as_large[person] == k
        assert done.p_values[person] == pytest.approx((k + 1) / (TRIALS + 1))
        assert (done.at_or_below[person], done.at_or_above[person]) == (below, above)
        two_sided = min(1.0, 2 * (min(below, above) + 1) / (TRIALS + 1))
        assert done.p_values_two_sided[person] == pytest.approx(two_sided)


@given(counted())
@settings(max_examples=30)
def test_the_mean_of_one_is_that_one(case: tuple[ClassCounts, list[bool]]) -> None:
    counts, subset = case
    one = ClassCounts(counts.correct[:1], counts.total[:1])
    drawn = lots_for(len(subset))
    alone = class_resampling(one, np.array(subset), drawn)
    mean = mean_resampling(one, np.array(subset), drawn)
    assert mean.change == pytest.approx(alone.change, abs=1e-12)
    assert mean.at_least_as_large.tolist() == alone.at_least_as_large.tolist()


@pytest.mark.parametrize("count", [1, 3, 5])
def test_every_trial_draws_as_many_classes_as_asked(count: int) -> None:
    drawn = lowest_by_key(lots_for(5), count)
    assert drawn.sum(axis=1).tolist() == [count] * TRIALS


def test_a_subset_like_all_others_changes_nothing_and_every_trial_is_as_large() -> None:
    counts = ClassCounts(np.array([[1, 1, 1]]), np.array([[2, 2, 2]]))
    done = class_resampling(counts, np.array([True, False, False]), lots_for(3))
    assert done.change[0] == 0.0
    assert done.p_values[0] == 1.0


def test_a_class_average_weighs_classes_alike_and_its_interval_holds_it() -> None:
    # ½ and 1 and 0 by class: the mean is ½, although 10 of 12 images are correct.
    counts = ClassCounts(np.array([[1, 9, 0]]), np.array([[2, 9, 1]]))
    averaged = class_average(counts, seed=1)
    assert averaged.mean[0] == pytest.approx(0.5)
    assert averaged.low[0] == pytest.approx(0.0)
    assert averaged.high[0] == pytest.approx(1.0)


def test_a_class_average_is_the_same_for_the_same_seed() -> None:
    counts = ClassCounts(np.array([[1, 2, 0, 1]]), np.array([[2, 3, 1, 1]]))
    assert class_average(counts, seed=3) == class_average(counts, seed=3)


def test_the_two_sided_test_rejects_as_often_as_its_level_says() -> None:
    """4,000 studies in which the subset is a random choice of classes."""
    random = np.random.default_rng(20)
    classes, studies = 60, 100
    subset, total = np.arange(classes) < 20, np.full((studies, classes), 50)
    one_sided, two_sided = [], []
    for seed in range(40):
        correct = random.binomial(50, random.beta(4, 1, (studies, classes)))
        lots = random_keys(generator(seed, "test"), of=classes, times=500)
        done = class_resampling(ClassCounts(correct, total), subset, lots)
        one_sided.extend(done.p_values <= 0.05)
        two_sided.extend(done.p_values_two_sided <= 0.05)
    assert 0.04 < np.mean(two_sided) <= 0.06
    assert np.mean(one_sided) > 0.08, "the data chooses the direction"


def _slow(
    counts: ClassCounts, person: int, subset: list[bool], drawn: RandomKeys
) -> tuple[float, int, int, int]:
    correct, total = counts.correct[person].tolist(), counts.total[person].tolist()

    def accuracy(classes: list[int]) -> tuple[int, int]:
        return sum(correct[c] for c in classes), sum(total[c] for c in classes)

    inside = [c for c, within in enumerate(subset) if within]
    hits, of = accuracy(inside)
    all_hits, all_of = accuracy(list(range(len(subset))))
    k = below = above = 0
    for row in drawn.tolist():
        lowest = sorted(range(len(row)), key=row.__getitem__)[: len(inside)]
        drawn_hits, drawn_of = accuracy(lowest)
        ahead = drawn_hits * of - hits * drawn_of
        below += ahead <= 0
        above += ahead >= 0
        direction = hits * all_of - all_hits * of
        k += direction == 0 or (ahead >= 0 if direction > 0 else ahead <= 0)
    return hits / of - all_hits / all_of, k, below, above
