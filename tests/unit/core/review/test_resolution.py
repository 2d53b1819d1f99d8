"""The rules that turn verdicts into a state, to the last tie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.review.resolution import (
    OPEN,
    ResolvedStates,
    resolve_adjudicated,
    resolve_by_majority,
    resolve_single,
    resolve_unanimous,
)
from labeler.core.review.verdict_table import VERDICT_CODES, VERDICT_ORDER, VerdictTable
from labeler.core.study.entities import Verdict

C, W, U = Verdict.CORRECT, Verdict.WRONG, Verdict.UNCLEAR
WORDS = {"c": C, "w": W, "u": U}


def table(*pairs: str) -> VerdictTable:
    """One word a pair, one letter a reviewer; a dot is no verdict."""
    rows = [
        (number, reviewer, VERDICT_CODES[WORDS[letter]])
        for number, word in enumerate(pairs)
        for reviewer, letter in enumerate(word)
        if letter != "."
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return VerdictTable(*columns, pair_count=len(pairs))


def states(resolved: ResolvedStates) -> list[Verdict | None]:
    return [None if code == OPEN else VERDICT_ORDER[code] for code in resolved.states]


words = st.lists(st.text("cwu.", max_size=5), max_size=20)


def test_single_takes_the_first_reviewer_who_judged_the_label() -> None:
    assert states(resolve_single(table("cw", ".w", "u", ".."))) == [C, W, U, None]


def test_single_takes_only_the_reviewer_who_was_named() -> None:
    assert states(resolve_single(table("cw", "c."), reviewer=1)) == [W, None]


@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        ("c", C),
        ("ccw", C),
        ("wwc", W),
        ("uuc", U),
        ("cw", U),
        ("ccww", U),
        ("cwu", U),
        ("ccwu", U),  # two of four aren't more than half
        ("cccwu", C),
        ("cc.", C),
    ],
)
def test_majority_is_more_than_half_of_those_who_judged(verdicts: str, state: Verdict) -> None:
    assert states(resolve_by_majority(table(verdicts))) == [state]


@pytest.mark.parametrize(
    ("verdicts", "state"), [("c", C), ("cc", C), ("ccw", U), ("uu", U), ("w..", W)]
)
def test_unanimity_is_all_of_those_who_judged(verdicts: str, state: Verdict) -> None:
    assert states(resolve_unanimous(table(verdicts))) == [state]


def test_fewer_verdicts_than_the_quorum_leave_a_label_open() -> None:
    for rule in (resolve_by_majority, resolve_unanimous):
        assert states(rule(table("c..", "cc.", "ccc", "..."), quorum=2)) == [None, C, C, None]


def test_a_label_nobody_judged_stays_open_whatever_the_quorum() -> None:
    assert states(resolve_by_majority(table("..."), quorum=0)) == [None]


def test_what_was_adjudicated_stands_above_all_verdicts() -> None:
    resolved = resolve_adjudicated(
        table("cw", "cw", "ww"), group={0: VERDICT_CODES[W], 2: VERDICT_CODES[C]}
    )
    assert states(resolved) == [W, U, C]
    assert resolved.unsettled == 1


def test_the_groups_verdict_needs_no_quorum() -> None:
    resolved = resolve_adjudicated(table("c.", ".."), group={1: VERDICT_CODES[C]}, quorum=2)
    assert states(resolved) == [None, C]
    assert resolved.unsettled == 0


def test_ties_are_counted_as_unsettled_and_agreed_doubt_is_not() -> None:
    assert resolve_by_majority(table("cw", "uu", "cc")).unsettled == 1


@given(words)
def test_without_a_disagreement_every_rule_says_the_same(pairs: list[str]) -> None:
    agreeing = [pair.replace("w", "c").replace("u", "c") for pair in pairs]
    result = [
        states(rule(table(*agreeing)))
        for rule in (resolve_single, resolve_by_majority, resolve_unanimous, resolve_adjudicated)
    ]
    assert result[0] == result[1] == result[2] == result[3]


@given(words, st.permutations(range(5)))
def test_majority_does_not_depend_on_who_said_what(pairs: list[str], order: list[int]) -> None:
    padded = [pair.ljust(5, ".") for pair in pairs]
    mixed = ["".join(pair[place] for place in order) for pair in padded]
    for rule in (resolve_by_majority, resolve_unanimous):
        assert np.array_equal(rule(table(*padded)).states, rule(table(*mixed)).states)


@given(words, st.integers(0, 4))
def test_what_is_unanimous_is_a_majority(pairs: list[str], quorum: int) -> None:
    strict = states(resolve_unanimous(table(*pairs), quorum=quorum))
    loose = states(resolve_by_majority(table(*pairs), quorum=quorum))
    for one, other in zip(strict, loose, strict=True):
        assert one == other or one is U
