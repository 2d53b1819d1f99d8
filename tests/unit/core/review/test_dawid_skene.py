"""Reviewers' reliability and the labels' states, estimated from each other."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labeler.core.review.dawid_skene import (
    SMOOTHING,
    TOLERANCE,
    DawidSkeneEstimate,
    Truth,
    estimate_dawid_skene,
)
from labeler.core.review.resolution import OPEN, resolve_by_majority
from labeler.core.review.verdict_table import VERDICT_CODES, VerdictTable
from labeler.core.study.entities import Verdict

C, W, U = (VERDICT_CODES[v] for v in (Verdict.CORRECT, Verdict.WRONG, Verdict.UNCLEAR))


def estimate_three(table: VerdictTable) -> DawidSkeneEstimate:
    return estimate_dawid_skene(table, Truth.THREE)


def simulated(
    *,
    pairs: int,
    confusions: list[list[list[float]]],
    per_pair: int,
    seed: int,
    prior: tuple[float, float, float] = (0.5, 0.1, 0.4),
) -> tuple[VerdictTable, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Verdicts of reviewers with known confusion matrices on pairs of known states."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(3, pairs, p=prior)
    chosen = draw.permuted(np.tile(np.arange(len(confusions)), (pairs, 1)), axis=1)[:, :per_pair]
    reviewers = chosen.ravel()
    judged = np.repeat(np.arange(pairs), per_pair)
    chances = np.array(confusions)[reviewers, truth[judged]]
    verdicts = (draw.random(len(judged))[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    return VerdictTable(judged, reviewers, verdicts, pairs), truth


GOOD = [[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.05, 0.05, 0.9]]
FAIR = [[0.7, 0.15, 0.15], [0.2, 0.6, 0.2], [0.15, 0.15, 0.7]]
YES_SAYER = [[0.1, 0.1, 0.8], [0.1, 0.1, 0.8], [0.05, 0.05, 0.9]]


def by_definition(table: VerdictTable, steps: int, truth: Truth = Truth.THREE) -> list[list[float]]:
    """The model as its paper writes it: loops, no logarithms."""
    rows = list(zip(table.pairs, table.reviewers, table.verdicts, strict=True))
    pairs, reviewers = sorted(set(table.pairs.tolist())), range(int(table.reviewers.max()) + 1)
    states, verdicts = (W, C) if truth is Truth.BINARY else (W, U, C), (W, U, C)
    given_to = {i: [(r, v) for p, r, v in rows if p == i] for i in pairs}
    t = {
        i: {
            j: sum(_share(v, j, states) for _r, v in given_to[i]) / len(given_to[i]) for j in states
        }
        for i in pairs
    }
    undecided = {
        i: t[i]
        for i, said in given_to.items()
        if len(said) == 1
        and said[0][1] not in states
        and all(len(given_to[p]) == 1 for p, r, _v in rows if r == said[0][0])
    }
    met = {r for said in given_to.values() if len(said) > 1 for r, _v in said}
    confusion: dict[tuple[int, int], list[float]] = {}
    for step in range(steps):
        weight = {j: sum(t[i][j] for i in pairs) + SMOOTHING for j in states}
        prior = {j: w / sum(weight.values()) for j, w in weight.items()}
        for r in reviewers:
            for j in states:
                if step and r not in met:
                    continue
                counts = [
                    sum(t[p][j] for p, s, v in rows if s == r and v == verdict) + SMOOTHING
                    for verdict in verdicts
                ]
                confusion[r, j] = [count / sum(counts) for count in counts]
        for i in pairs:
            odds = dict(prior)
            for r, v in given_to[i]:
                odds = {j: odd * confusion[r, j][v] for j, odd in odds.items()}
            t[i] = {j: odd / sum(odds.values()) for j, odd in odds.items()}
        t |= undecided
    return [[t[i].get(j, 0.0) for j in verdicts] for i in pairs]


def _share(verdict: int, state: int, states: tuple[int, ...]) -> float:
    return float(verdict == state) if verdict in states else 1 / len(states)


def test_it_is_the_model_of_its_paper() -> None:
    table, _truth = simulated(
        pairs=25, confusions=[GOOD, GOOD, FAIR, YES_SAYER], per_pair=3, seed=3
    )
    found = estimate_three(table)
    assert found.converged
    assert found.probabilities == pytest.approx(
        np.array(by_definition(table, found.steps)), abs=1e-9
    )


def test_agreeing_reviewers_are_believed() -> None:
    rows = [(pair, reviewer, [C, W][pair % 2]) for pair in range(20) for reviewer in range(3)]
    columns = np.array(rows).T
    found = estimate_three(VerdictTable(*columns, 20))
    assert found.resolved().states.tolist() == [C, W] * 10
    assert found.probabilities.max(axis=1).min() > 0.99


def test_it_finds_the_states_better_than_the_majority_does() -> None:
    confusions = [GOOD, GOOD, YES_SAYER, YES_SAYER, YES_SAYER]
    table, truth = simulated(pairs=2000, confusions=confusions, per_pair=5, seed=1)
    found = estimate_three(table).resolved().states
    assert (found == truth).mean() > (resolve_by_majority(table).states == truth).mean() + 0.1


def test_it_finds_each_reviewers_confusion_matrix() -> None:
    confusions = [GOOD, GOOD, FAIR, YES_SAYER]
    table, _truth = simulated(pairs=8000, confusions=confusions, per_pair=4, seed=2)
    assert estimate_three(table).confusion == pytest.approx(np.array(confusions), abs=0.08)


def test_a_label_nobody_judged_has_no_probability_and_stays_open() -> None:
    found = estimate_three(VerdictTable(np.array([1]), np.array([0]), np.array([C]), 3))
    assert found.resolved().states.tolist() == [OPEN, C, OPEN]
    assert np.isnan(found.probabilities[0]).all()


def test_two_equal_reviewers_who_differ_leave_a_label_unclear() -> None:
    table = VerdictTable(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([C, W, W, C]), 2)
    resolved = estimate_three(table).resolved()
    assert resolved.states.tolist() == [U, U]
    assert resolved.unsettled == 2


def test_without_a_verdict_there_is_nothing_to_estimate() -> None:
    empty = np.array([], np.int64)
    found = estimate_three(VerdictTable(empty, empty, empty, 2))
    assert found.resolved().states.tolist() == [OPEN, OPEN]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_the_verdicts_changes_nothing(seed: int, random: object) -> None:
    table, _truth = simulated(pairs=30, confusions=[GOOD, FAIR, YES_SAYER], per_pair=2, seed=seed)
    order = np.arange(len(table.pairs))
    random.shuffle(order)  # type: ignore[attr-defined]
    mixed = VerdictTable(
        table.pairs[order], table.reviewers[order], table.verdicts[order], table.pair_count
    )
    assert np.allclose(
        estimate_three(mixed).probabilities,
        estimate_three(table).probabilities,
        atol=TOLERANCE,
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000))
def test_probabilities_sum_to_one_and_none_is_impossible(seed: int) -> None:
    table, _truth = simulated(pairs=20, confusions=[GOOD, FAIR], per_pair=2, seed=seed)
    found = estimate_three(table)
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(20))
    assert (found.confusion > 0).all()


@st.composite
def tables(draw: st.DrawFn) -> VerdictTable:
    """Anything that can be said: pairs and reviewers left out, verdicts that no one gives."""
    cells = st.tuples(st.integers(0, 6), st.integers(0, 3))
    said = draw(st.dictionaries(cells, st.sampled_from([C, W, U]), min_size=1, max_size=16))
    columns = np.array([(*cell, verdict) for cell, verdict in said.items()], np.int64).T
    return VerdictTable(columns[0], columns[1], columns[2], 7)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(Truth))
def test_it_is_the_model_of_its_paper_whatever_was_said(table: VerdictTable, truth: Truth) -> None:
    found = estimate_dawid_skene(table, truth)
    assume(found.steps <= 60)
    judged = np.unique(table.pairs)
    slow = np.array(by_definition(table, found.steps, truth))
    assert found.probabilities[judged] == pytest.approx(slow, abs=1e-7)
    unjudged = np.setdiff1d(np.arange(table.pair_count), judged)
    assert np.isnan(found.probabilities[unjudged]).all()


def test_a_single_reviewer_is_believed() -> None:
    said = [C, W, U, C, W]
    found = estimate_three(VerdictTable(np.arange(5), np.zeros(5, np.int64), np.array(said), 5))
    assert found.converged
    assert found.probabilities.max(axis=1).min() > 0.95
    assert found.resolved().states.tolist() == said


def test_who_meets_nobody_is_believed_beside_others_who_meet() -> None:
    together = [(pair, reviewer, [C, W, U][pair % 3]) for pair in range(30) for reviewer in (0, 1)]
    apart = [(30 + n, 2, said) for n, said in enumerate([C, W, U])]
    found = estimate_three(VerdictTable(*np.array([*together, *apart]).T, 33))
    assert found.resolved().states.tolist() == [C, W, U] * 11


def test_a_reviewer_with_one_verdict_moves_nothing_that_others_agree_on() -> None:
    rows = [(pair, reviewer, [C, W][pair % 2]) for pair in range(20) for reviewer in range(3)]
    columns = np.array([*rows, (0, 3, W)]).T
    found = estimate_three(VerdictTable(*columns, 20))
    assert found.resolved().states.tolist() == [C, W] * 10
    assert found.confusion.shape[0] == 4
    assert np.isfinite(found.confusion).all()


def test_a_verdict_that_nobody_gives_is_no_state_of_anything() -> None:
    rows = [(pair, reviewer, C) for pair in range(10) for reviewer in range(2)]
    found = estimate_three(VerdictTable(*np.array(rows).T, 10))
    assert found.resolved().states.tolist() == [C] * 10
    assert found.prior[C] > 0.99
    assert found.probabilities[:, [W, U]].max() < 0.01


def test_reliability_is_found_where_each_label_has_few_of_many_reviewers() -> None:
    confusions = [GOOD, FAIR, YES_SAYER] * 5
    table, truth = simulated(pairs=6000, confusions=confusions, per_pair=4, seed=5)
    found = estimate_three(table)
    assert found.confusion == pytest.approx(np.array(confusions), abs=0.12)
    assert found.prior == pytest.approx(np.bincount(truth) / len(truth), abs=0.04)
    assert (found.resolved().states == truth).mean() > (
        resolve_by_majority(table).states == truth
    ).mean()


# Experts who often say unclear where a label is correct, as on difficult golden labels.
CAUTIOUS = [[0.9, 0.08, 0.02], [0.1, 0.8, 0.1], [0.1, 0.5, 0.4]]


def recall(found: DawidSkeneEstimate, truth: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float:
    return float((found.resolved().states[truth == C] == C).mean())


def test_a_binary_truth_finds_correct_labels_of_reviewers_who_often_say_unclear() -> None:
    table, truth = simulated(
        pairs=3000, confusions=[CAUTIOUS] * 5, per_pair=3, seed=4, prior=(0.6, 0.0, 0.4)
    )
    binary, three = estimate_dawid_skene(table), estimate_three(table)
    assert recall(binary, truth) > 0.9
    assert recall(three, truth) < 0.7
    assert (binary.resolved().states == truth).mean() > 0.9


def test_with_a_binary_truth_unclear_has_no_probability_and_two_states_are_estimated() -> None:
    table, _truth = simulated(pairs=50, confusions=[GOOD, FAIR], per_pair=2, seed=1)
    found = estimate_dawid_skene(table)
    assert found.truth is Truth.BINARY
    assert found.probabilities[:, U].tolist() == [0.0] * 50
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(50))
    assert found.confusion.shape == (2, 2, 3)


def test_a_probability_between_the_thresholds_is_unclear() -> None:
    found = DawidSkeneEstimate(
        truth=Truth.BINARY,
        probabilities=np.array([[1 - p, 0.0, p] for p in (0.0, 0.1, 0.2, 0.5, 0.8, 0.9, 1.0)]),
        prior=np.array([0.5, 0.5]),
        confusion=np.empty((0, 2, 3)),
        steps=1,
        converged=True,
    )
    assert found.resolved().states.tolist() == [W, W, W, U, C, C, C]
    assert found.resolved(0.8).states.tolist() == [W, W, W, U, C, C, C]
    strict = found.resolved(0.85)
    assert strict.states.tolist() == [W, W, U, U, U, C, C]
    assert strict.unsettled == 3


def test_with_a_binary_truth_a_single_reviewer_is_believed_even_when_unclear() -> None:
    said = [C, W, U, C, C, C, U]
    found = estimate_dawid_skene(
        VerdictTable(np.arange(7), np.zeros(7, np.int64), np.array(said), 7)
    )
    assert found.converged
    assert found.resolved().states.tolist() == said
