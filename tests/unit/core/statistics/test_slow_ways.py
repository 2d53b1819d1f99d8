"""The quick ways give what the slow ones that everyone knows give, to 1e-12."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import score_dataset
from labeler.core.metrics.subsets import report_subsets
from labeler.core.statistics.class_resampling import ClassCounts, class_resampling
from labeler.core.statistics.linear_fit import BootstrapResampler, fit_line
from labeler.core.statistics.packed_flags import common_counts, drawn_sums
from labeler.core.statistics.proportions import beta_quantiles, clopper_pearson
from labeler.core.statistics.random_draws import generator, lowest_by_key, random_keys
from tests.unit.core.metrics.random_study import CLASSES, GROUPS, Plain, as_study

SAME = 1e-12


def test_intervals_are_those_of_a_loop_over_ppf() -> None:
    random = np.random.default_rng(1)
    total = np.concatenate([np.arange(1, 12), random.integers(12, 50_000, 60)])
    correct = (total * random.random(len(total))).astype(int)
    correct = np.concatenate([correct, np.zeros_like(total), total, total - 1])
    total = np.tile(total, 4)
    found = clopper_pearson(correct, total)
    for k, n, low, high in zip(*map(np.ndarray.tolist, (correct, total, *found)), strict=True):
        assert low == pytest.approx(0.0 if k == 0 else beta.ppf(0.025, k, n - k + 1), abs=SAME)
        assert high == pytest.approx(1.0 if k == n else beta.ppf(0.975, k + 1, n - k), abs=SAME)


@pytest.mark.parametrize("share", [0.0005, 0.025, 0.5, 0.975])
def test_other_quantiles_hold_too(share: float) -> None:
    a = np.repeat([1.0, 1.5, 3.0, 40.0, 9_000.0], 5)
    b = np.tile([1.0, 2.0, 7.0, 300.0, 20_000.0], 5)
    slow = [beta.ppf(share, *pair) for pair in zip(a, b, strict=True)]
    assert beta_quantiles(a, b, share) == pytest.approx(np.array(slow), abs=SAME)


def test_class_resampling_is_that_of_pandas() -> None:
    random = np.random.default_rng(2)
    total = random.integers(1, 4, 90)
    correct = (total * random.random((5, 90))).round().astype(int)
    subset, drawn = np.arange(90) < 40, random_keys(generator(3, "test"), of=90, times=50)
    counts = ClassCounts(correct, np.tile(total, (5, 1)))
    found = class_resampling(counts, subset, drawn)
    frame, weights = pd.DataFrame(correct.T), pd.Series(total)
    whole = frame.sum() / weights.sum()
    change = frame[subset].sum() / weights[subset].sum() - whole
    as_large = pd.Series(0, index=change.index)
    for taken in lowest_by_key(drawn, 40):
        moved = frame[taken].sum() / weights[taken].sum() - whole
        as_large += (moved * np.sign(change) >= change.abs() - SAME).astype(int)
    assert found.change == pytest.approx(change.to_numpy(), abs=SAME)
    assert found.at_least_as_large.tolist() == as_large.tolist()


def test_resampled_fits_are_those_of_polyfit() -> None:
    random = np.random.default_rng(3)
    x = random.uniform(0.5, 0.9, 72)
    y = 0.9 * x + random.normal(0, 0.02, 72)
    resampler = BootstrapResampler(points=72, seed=1, times=60)
    found = fit_line(x, y, resampler)
    assert found is not None
    drawn = resampler.counts.astype(int)
    slow = np.array([np.polyfit(np.repeat(x, row), np.repeat(y, row), 1) for row in drawn])
    assert found.slopes == pytest.approx(slow[:, 0], abs=SAME)
    assert found.intercepts == pytest.approx(slow[:, 1], abs=SAME)


def test_accuracies_are_those_of_a_group_by() -> None:
    random = np.random.default_rng(4)
    targets = random.choice(CLASSES, 200).tolist()
    guesses = random.choice(CLASSES, (4, 200)).tolist()
    states = {(n, int(random.choice(CLASSES))): int(random.integers(0, 3)) for n in range(200)}
    states |= dict.fromkeys(enumerate(targets), 2)
    plain = Plain(
        targets=targets,
        problematic=[False] * 200,
        sampled=[True] * 200,
        states=states,
        humans=[],
        models=[{n: [label] for n, label in enumerate(row)} for row in guesses],
    )
    study, subsets = as_study([plain, plain]), report_subsets(GROUPS)
    table = score_dataset(study, study.datasets[0], subsets, fast_seconds=60.0)
    found = table.table(Metric.TOP1), table.table(Metric.MULTI_LABEL)
    for model, right, several, total in _group_by(plain):
        assert (found[0].correct[model, 0], found[1].correct[model, 0]) == (right, several)
        assert found[0].share[model, 0] == pytest.approx(right / total, abs=SAME)
        assert found[1].share[model, 0] == pytest.approx(several / total, abs=SAME)


def _group_by(plain: Plain) -> list[tuple[int, int, int, int]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE answer (model INT, image INT, target INT, label INT)")
    database.execute("CREATE TABLE judged (image INT, label INT, state INT)")
    database.executemany(
        "INSERT INTO answer VALUES (?, ?, ?, ?)",
        [
            (model, image, plain.targets[image], ranked[0])
            for model, answers in enumerate(plain.models)
            for image, ranked in answers.items()
        ],
    )
    judged = [(*pair, state) for pair, state in plain.states.items()]
    database.executemany("INSERT INTO judged VALUES (?, ?, ?)", judged)
    query = (
        "SELECT model, SUM(target = answer.label), SUM(COALESCE(state, 0) = 2), COUNT(*) "
        "FROM answer LEFT JOIN judged USING (image, label) GROUP BY model"
    )
    rows = database.execute(query).fetchall()
    database.close()
    return rows


def test_flags_in_common_and_sums_are_counted_right() -> None:
    random = np.random.default_rng(5)
    one, other = random.random((3, 131)) < 0.4, random.random((4, 131)) < 0.7
    assert common_counts(one, other).tolist() == (one.astype(int) @ other.T.astype(int)).tolist()
    for most in (1, 6, 2**15):
        values = random.integers(0, most + 1, (5, 131))
        assert drawn_sums(one, values).tolist() == (one.astype(int) @ values.T).tolist()


@pytest.mark.parametrize("of", [1, 2, 3, 1000, 3000])
def test_no_two_lots_of_a_row_are_the_same(of: int) -> None:
    drawn = random_keys(generator(1, "test"), of=of, times=3)
    assert all(len(set(row)) == of for row in drawn.tolist())
