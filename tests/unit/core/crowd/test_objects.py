"""Labels that annotators tick together name different objects."""

from fractions import Fraction
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.entities import ClassifyAnswer, ObjectTie
from labeler.core.crowd.objects import (
    ImageObjects,
    check_answers,
    find_objects,
    has_too_many_labels,
)
from labeler.core.study.entities import ImageKey

IMAGE = ImageKey("d", "i")


def distance(a: str, b: str) -> int:
    """Letters as positions on a line stand for the taxonomy."""
    return abs(ord(a) - ord(b))


def answer(
    labels: str, person: str = "A", *, main: str | None = None, minute: int = 0
) -> ClassifyAnswer:
    return ClassifyAnswer(
        participant=person,
        image=IMAGE,
        labels=frozenset(labels),
        main=labels[0] if main is None else main,
        submitted_at=f"2026-01-01T10:{minute:02}:00+00:00",
    )


def objects(*labels: str, target: str = "a", place_all: bool = False) -> ImageObjects:
    """Aggregate answers in the order given; the first letter of each is its main label."""
    answers = [answer(word, f"P{n}") for n, word in enumerate(labels)]
    return find_objects(answers, target=target, distance=distance, place_all=place_all)


def groups(found: ImageObjects) -> list[str]:
    return ["".join(each.labels) for each in found.objects]


def test_labels_of_one_object_are_synonyms_or_alternatives() -> None:
    found = objects("a", "b", "a")
    assert groups(found) == ["ab"]
    assert found.objects[0].label == "a"
    assert found.confidence == 1


def test_labels_ticked_together_are_different_objects() -> None:
    found = objects("ac", "bc", "ac")
    assert groups(found) == ["ab", "c"]
    assert [each.label for each in found.objects] == ["a", "c"]
    assert found.optimal_partitions == 1


def test_the_number_of_objects_is_the_most_frequent_count_and_the_first_in_a_tie() -> None:
    found = objects("ab", "a", "ab", "a")
    assert found.num_objects == 2
    assert found.confidence == Fraction(1, 2)
    assert ObjectTie.NUM_OBJECTS in found.ties


def test_the_main_label_is_the_first_of_the_most_frequent() -> None:
    found = objects("ba", "ab", "ab", "ba")
    assert (found.main_label, found.main_picks) == ("b", 2)
    assert ObjectTie.MAIN_LABEL in found.ties


def test_the_main_object_has_the_most_picks_not_the_main_label() -> None:
    found = objects("ca", "ca", "ac", "bc", "bc", "ac", "ca", target="c")
    assert found.main_label == "c"
    assert groups(found) == ["ab", "c"]
    assert (found.main_object, found.target_object) == (1, 2)


def test_labels_only_ticked_alone_are_unplaced_among_several_objects() -> None:
    found = objects("ac", "ac", "d", target="d")
    assert groups(found) == ["a", "c"]
    assert found.unplaced == ("d",)
    assert found.target_object is None
    placed = objects("ac", "ac", "d", target="d", place_all=True)
    assert groups(placed) == ["a", "cd"]
    assert (placed.unplaced, placed.target_object) == ((), 2)


def test_equal_partitions_are_decided_by_the_taxonomy_and_counted() -> None:
    found = objects("ay", "bz")
    assert groups(found) == ["ab", "yz"]
    assert found.optimal_partitions == 2


def test_the_target_has_no_object_if_it_was_not_ticked() -> None:
    assert objects("bc", "bc").target_object is None


def test_more_than_ten_labels_are_too_many() -> None:
    assert not has_too_many_labels([answer("abcdefgh"), answer("ij", main="i")])
    assert has_too_many_labels([answer("abcdefgh"), answer("ijk", main="i")])


def test_contradictory_answers_are_left_out_and_frequent_offenders_excluded() -> None:
    bad = [
        answer("a", "A", main="b"),
        answer("ab", "A"),
        answer("a", "A"),
        answer("", "B", main=""),
    ]
    checked = check_answers([*bad, answer("a", "B"), answer("a", "C")])
    assert checked.contradictory == 2
    assert checked.excluded == {"B"}
    assert [a.participant for a in checked.kept] == ["A", "A", "C"]


def test_answers_are_ordered_by_time_and_code() -> None:
    checked = check_answers([answer("a", "B", minute=1), answer("a", "C"), answer("a", "A")])
    assert [a.participant for a in checked.kept] == ["A", "C", "B"]


words = st.lists(
    st.sets(st.sampled_from("abcdef"), min_size=1, max_size=4).map(lambda s: "".join(sorted(s))),
    min_size=1,
    max_size=7,
)


@given(words)
def test_no_assignment_of_labels_to_objects_is_better(answers: list[str]) -> None:
    found = objects(*answers)
    labels = [label for each in found.objects for label in each.labels]
    together = {
        pair: sum(set(pair) <= set(word) for word in answers)
        for pair in combinations(sorted(labels), 2)
    }
    costs = {}
    for numbers in product(range(found.num_objects), repeat=len(labels)):
        if len(set(numbers)) == found.num_objects:
            members = dict(zip(sorted(labels), numbers, strict=True))
            partition = frozenset(
                frozenset(m for m in members if members[m] == n) for n in range(found.num_objects)
            )
            inside = [pair for pair in together if members[pair[0]] == members[pair[1]]]
            costs[partition] = (
                sum(together[pair] for pair in inside),
                sum(distance(*pair) for pair in inside),
            )
    best = min(costs.values())
    assert costs[frozenset(frozenset(each.labels) for each in found.objects)] == best
    least_together = best[0]
    assert found.optimal_partitions == sum(c[0] == least_together for c in costs.values())


@given(words)
def test_every_ticked_label_is_in_one_object_or_unplaced(answers: list[str]) -> None:
    found = objects(*answers)
    placed = [label for each in found.objects for label in each.labels]
    assert sorted([*placed, *found.unplaced]) == sorted(set("".join(answers)))
