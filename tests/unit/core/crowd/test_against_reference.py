"""The rules give what a slow second implementation gives."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import load_default
from labeler.core.crowd.candidate_labels import candidate_labels, image_status
from labeler.core.crowd.entities import (
    ClassifyAnswer,
    ContainsAnswer,
    Grid,
    GridImage,
    GridRole,
    SelectionFrequency,
)
from labeler.core.crowd.frequencies import QualityRule, judge_answers
from labeler.core.crowd.objects import find_objects
from labeler.core.study.entities import ImageKey
from tests.unit.core.crowd.reference_rules import (
    reference_candidates,
    reference_kept,
    reference_objects,
    reference_status,
)

TAXONOMY = load_default()
TARGET = "n02085620"  # Chihuahua
DISTANCES = TAXONOMY.class_distances(TARGET)
# On both sides of the limit of five edges, and at it.
LABELS = [
    TARGET,
    *[wnid for wnid, edges in DISTANCES.items() if edges in (2, 4, 5)][:7],
    *[wnid for wnid, edges in DISTANCES.items() if edges in (6, 7, 20)][:7],
]
# Few denominators, so that frequencies are often equal, one half or one eighth.
counts = st.sampled_from([2, 3, 5, 6, 8, 10]).flatmap(
    lambda shown: st.tuples(st.integers(0, shown), st.just(shown))
)
tables = st.dictionaries(st.sampled_from(LABELS), counts, max_size=len(LABELS))


@given(tables)
def test_candidate_labels_and_status(table: dict[str, tuple[int, int]]) -> None:
    frequencies = {label: SelectionFrequency(*pair) for label, pair in table.items()}
    found = candidate_labels(TARGET, frequencies, TAXONOMY)
    expected = reference_candidates(TARGET, table, TAXONOMY.distance)
    assert [(each.label, str(each.reason)) for each in found] == list(expected.items())
    assert str(image_status(TARGET, frequencies)) == reference_status(TARGET, table)


grid_roles = st.lists(st.sampled_from(GridRole), min_size=1, max_size=8)


@given(
    st.lists(grid_roles, min_size=1, max_size=5),
    st.lists(st.tuples(st.sampled_from("AB"), st.sets(st.integers(1, 8))), max_size=10),
)
def test_answers_that_the_controls_keep(
    roles: list[list[GridRole]], given: list[tuple[str, set[int]]]
) -> None:
    grids = {
        str(number): Grid(
            str(number),
            "cat",
            {
                place: GridImage(ImageKey("d", f"{number} {place}"), role)
                for place, role in enumerate(row, 1)
            },
        )
        for number, row in enumerate(roles)
    }
    answers = {}
    for turn, (person, selected) in enumerate(given):
        grid = str(turn % len(grids))
        answers[person, grid] = ContainsAnswer(
            participant=person,
            grid=grid,
            selected=frozenset(selected & grids[grid].images.keys()),
            submitted_at=f"2026-01-01T10:{turn:02}:00+00:00",
        )
    judged = judge_answers(grids, answers.values(), rule=QualityRule.CONTROLS)
    kept = {(answer.participant, answer.grid) for answer in judged.kept}
    assert kept == reference_kept(grids, list(answers.values()))


def line_distance(a: str, b: str) -> int:
    """Letters as positions on a line, in pairs, so that distances are often equal."""
    return abs(ord(a) // 2 - ord(b) // 2)


ticks = st.sets(st.sampled_from("abcdef"), min_size=1, max_size=4)
choices = ticks.flatmap(lambda own: st.tuples(st.just(own), st.sampled_from(sorted(own))))


@given(st.lists(choices, min_size=1, max_size=7), st.sampled_from("abcdefg"))
def test_objects(given: list[tuple[set[str], str]], target: str) -> None:
    answers = [
        ClassifyAnswer(
            participant=f"P{number}",
            image=ImageKey("d", "i"),
            labels=frozenset(labels),
            main=main,
            submitted_at="2026-01-01T10:00:00+00:00",
        )
        for number, (labels, main) in enumerate(given)
    ]
    found = find_objects(answers, target=target, distance=line_distance)
    assert reference_objects(answers, target, line_distance) == {
        "groups": tuple(each.labels for each in found.objects),
        "names": tuple(each.label for each in found.objects),
        "unplaced": found.unplaced,
        "confidence": found.confidence,
        "main_label": found.main_label,
        "main_picks": found.main_picks,
        "main_object": found.main_object,
        "target_object": found.target_object,
        "optimal": found.optimal_partitions,
        "ticked": dict(found.ticked),
        "ties": {str(tie) for tie in found.ties},
    }
