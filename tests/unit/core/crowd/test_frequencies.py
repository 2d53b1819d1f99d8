"""Selection frequencies count each annotator once, and quality rules leave answers out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.entities import (
    ContainsAnswer,
    ContainsState,
    Grid,
    GridImage,
    GridRole,
    ImageLabel,
    SelectionFrequency,
)
from labeler.core.crowd.frequencies import (
    JudgedAnswers,
    QualityRule,
    judge_answers,
    selection_frequencies,
)
from labeler.core.study.entities import ImageKey

ROLES = {"c": GridRole.CANDIDATE, "p": GridRole.POSITIVE, "n": GridRole.NEGATIVE}


def grid(name: str, roles: str, *, label: str = "cat", images: str = "") -> Grid:
    """A grid whose images are named by letters, or by its own name and their position."""
    names = list(images) or [f"{name}{place}" for place in range(len(roles))]
    shown = {
        place: GridImage(ImageKey("d", image), ROLES[role])
        for place, (image, role) in enumerate(zip(names, roles, strict=True), 1)
    }
    return Grid(name, label, shown)


def answer(
    person: str, name: str, *selected: int, minute: int = 0, **more: object
) -> ContainsAnswer:
    return ContainsAnswer(
        participant=person,
        grid=name,
        selected=frozenset(selected),
        submitted_at=f"2026-01-01T10:{minute:02}:00+00:00",
        **more,  # type: ignore[arg-type]
    )


def judged(
    grids: list[Grid], answers: list[ContainsAnswer], rule: QualityRule = QualityRule.CONTROLS
) -> JudgedAnswers:
    return judge_answers({g.id: g for g in grids}, answers, rule=rule)


def frequencies(
    grids: list[Grid], answers: list[ContainsAnswer], rule: QualityRule = QualityRule.NONE
) -> dict[tuple[str, str], tuple[int, int]]:
    named = {g.id: g for g in grids}
    found = selection_frequencies(named, judged(grids, answers, rule).kept)
    return {(p.image.image, p.label): (f.selected, f.shown) for p, f in found.items()}


def test_a_frequency_pools_every_grid_of_the_label() -> None:
    grids = [grid("g", "cc", images="ab"), grid("h", "cc", images="bc")]
    found = frequencies(grids, [answer("A", "g", 2), answer("B", "h", 1, 2)])
    assert found == {("a", "cat"): (0, 1), ("b", "cat"): (2, 2), ("c", "cat"): (1, 1)}


def test_labels_are_counted_apart() -> None:
    grids = [grid("g", "c", images="a"), grid("h", "c", images="a", label="dog")]
    found = frequencies(grids, [answer("A", "g", 1), answer("A", "h")])
    assert found == {("a", "cat"): (1, 1), ("a", "dog"): (0, 1)}


def test_only_the_first_submission_of_an_annotator_counts() -> None:
    grids = [grid("g", "c", images="a"), grid("h", "c", images="a")]
    later_yes = [answer("A", "h", 1, minute=5), answer("A", "g", minute=4)]
    assert frequencies(grids, later_yes) == {("a", "cat"): (0, 1)}


def test_times_are_compared_as_times() -> None:
    grids = [grid("g", "c", images="a"), grid("h", "c", images="a")]
    first = ContainsAnswer(
        participant="A", grid="h", selected=frozenset({1}), submitted_at="2026-01-01T10:00:00Z"
    )
    assert frequencies(grids, [answer("A", "g", minute=1), first]) == {("a", "cat"): (1, 1)}


@pytest.mark.parametrize("state", [ContainsState.RETURNED, ContainsState.REJECTED])
def test_returned_and_rejected_grids_count_as_not_shown(state: ContainsState) -> None:
    grids = [grid("g", "c")]
    assert frequencies(grids, [answer("A", "g", 1, state=state)]) == {}


def test_a_barred_grid_counts_as_not_shown() -> None:
    named = {"g": grid("g", "c")}
    barred = judge_answers(named, [answer("A", "g", 1)], rule=QualityRule.NONE, barred_grids={"g"})
    assert barred.kept == ()


def test_an_annotator_who_misses_controls_on_half_the_grids_is_excluded() -> None:
    grids = [grid("g", "pppppc"), grid("h", "pppppc")]
    careless = [answer("A", "g"), answer("A", "h", 1, 2, 3, 4, 5, 6)]
    result = judged(grids, careless)
    assert result.kept == ()
    assert result.annotators[0].excluded


def test_one_fifth_of_the_controls_is_enough_for_the_annotator_but_not_for_the_answer() -> None:
    grids = [grid("g", "pppppc"), grid("h", "pppppc")]
    result = judged(grids, [answer("A", "g", 1), answer("A", "h", 1, 2)])
    assert [a.grid for a in result.kept] == ["h"]
    assert not result.annotators[0].excluded
    assert result.annotators[0].dropped_answers == 1


def test_grids_without_positive_controls_are_judged_only_with_their_annotator() -> None:
    grids = [grid("g", "ppc"), grid("h", "cc")]
    assert [a.grid for a in judged(grids, [answer("A", "g", 1, 2), answer("A", "h")]).kept] == [
        "g",
        "h",
    ]
    assert judged(grids, [answer("A", "g"), answer("A", "h")]).kept == ()


def test_without_a_rule_every_submitted_answer_counts() -> None:
    result = judged([grid("g", "pppc")], [answer("A", "g")], QualityRule.NONE)
    assert len(result.kept) == 1
    assert not result.annotators[0].excluded
    assert result.annotators[0].reason == ""


def test_control_rates_count_submitted_answers() -> None:
    grids = [grid("g", "ppnn"), grid("h", "pn")]
    answers = [
        answer("A", "g", 1, 3, active_ms=1000),
        answer("A", "h", 1, active_ms=4000),
        answer("A", "i", state=ContainsState.RETURNED),
    ]
    (quality,) = judged([*grids, grid("i", "pp")], answers).annotators
    assert (quality.positive, quality.negative) == ((2, 3), (1, 3))
    assert (quality.grids, quality.selections, quality.median_active_ms) == (2, 3, 2500)


def test_a_pair_that_was_never_shown_has_no_frequency() -> None:
    with pytest.raises(ValueError, match="0 of 0"):
        SelectionFrequency(0, 0)


@given(
    st.lists(
        st.tuples(st.sampled_from("AB"), st.sampled_from("gh"), st.sets(st.integers(1, 3))),
        unique_by=lambda row: row[:2],
    )
)
def test_frequencies_agree_with_counting_by_hand(rows: list[tuple[str, str, set[int]]]) -> None:
    grids = {g.id: g for g in (grid("g", "ccc", images="abc"), grid("h", "ccc", images="bcd"))}
    answers = [answer(p, g, *chosen, minute=n) for n, (p, g, chosen) in enumerate(rows)]
    kept = judge_answers(grids, answers, rule=QualityRule.NONE).kept
    found = selection_frequencies(grids, kept)
    for name in "abcd":
        votes = {}
        for person, which, chosen in rows:
            for place, shown in grids[which].images.items():
                if shown.image.image == name:
                    votes.setdefault(person, place in chosen)
        pair = ImageLabel(ImageKey("d", name), "cat")
        expected = Fraction(sum(votes.values()), len(votes)) if votes else None
        assert (found[pair].value if pair in found else None) == expected
