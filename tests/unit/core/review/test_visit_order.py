"""A reviewer's way through a review, by image and by class."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.review.blind_types import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.review.visit_order import ClassRound, ReviewOrder
from labeler.core.study.entities import Verdict

CORRECT = OwnVerdict(Verdict.CORRECT)


def order() -> ReviewOrder:
    """Three images; b's second visit asks its label again."""
    return ReviewOrder(
        [
            BlindVisit("a", (BlindLabel("x"), BlindLabel("y"))),
            BlindVisit("b", (BlindLabel("x"),)),
            BlindVisit("b again", (BlindLabel("x"),), first="b"),
            BlindVisit("c", (BlindLabel("y", CORRECT),)),
        ]
    )


def test_it_begins_at_the_first_image_that_waits() -> None:
    made = order()
    assert made.first_waiting() == "a"
    for label in ("x", "y"):
        made.judge("a", label, CORRECT)
    assert made.first_waiting() == "b"
    assert (made.done, made.left, made.total) == (3, 2, 5)


def test_what_comes_next_is_looked_for_from_the_beginning_after_the_end() -> None:
    assert order().waiting("c", count=9) == ("a", "b", "b again")
    assert order().waiting("a", count=1) == ("b",)


def test_a_second_asking_comes_in_a_round_of_its_own_after_all_first_ones() -> None:
    made = order()
    assert made.rounds() == (ClassRound(1, "x"), ClassRound(1, "y"), ClassRound(2, "x"))
    assert made.tiles(ClassRound(1, "x")) == ("b",)
    assert set(made.tiles(ClassRound(2, "x"))) == {"b again", "a"}, (
        "one is held back to mix it with"
    )
    made.judge("b again", "x", CORRECT)
    assert (made.left_in(ClassRound(1, "x")), made.left_in(ClassRound(2, "x"))) == (1, 1)
    assert made.own("b", "x") is None


@given(st.integers(1, 30), st.data())
def test_no_round_holds_an_image_twice_and_every_pair_is_in_one(
    images: int, data: st.DataObject
) -> None:
    names = [f"visit {number}" for number in range(images)]
    repeated = data.draw(st.lists(st.sampled_from(names), unique=True))
    seconds = [BlindVisit(f"{n} again", (BlindLabel("x"),), first=n) for n in repeated]
    made = ReviewOrder([*(BlindVisit(n, (BlindLabel("x"),)) for n in names), *seconds])
    tiles = {one.number: made.tiles(one) for one in made.rounds()}
    for visits in tiles.values():
        shown = [made[visit_id].first or visit_id for visit_id in visits]
        assert len(shown) == len(set(shown))
    assert sorted(v for visits in tiles.values() for v in visits) == sorted(
        (*names, *(s.visit_id for s in seconds))
    )
    mixed_in = [v for v in tiles.get(2, ()) if made[v].first is None]
    assert len(mixed_in) == min(len(repeated), images - len(repeated))


def test_a_label_added_at_a_second_asking_belongs_to_the_first_visit() -> None:
    made = order()
    made.add_label("b again", "z")
    assert made.total == 6
    assert made.owner("b again", "z") == "b"
    assert made.owner("b again", "x") == "b again"
    made.judge("b again", "z", CORRECT)
    assert made.own("b", "z") == made.own("b again", "z") == CORRECT
    made.judge("b", "z", None)
    assert made.own("b again", "z") is None
    assert made.tiles(ClassRound(1, "z")) == ("b",)
    assert (made.done, made.total) == (1, 6)


def test_a_verdict_taken_back_waits_again() -> None:
    made = order()
    made.judge("c", "y", None)
    assert made.own("c", "y") is None
    assert made.left_in(ClassRound(1, "y")) == 2


def test_an_added_label_is_asked_once_and_counted() -> None:
    made = order()
    for _twice in range(2):
        made.add_label("b", "z")
    assert {label.wnid for label in made["b"].labels} == {"x", "z"}
    assert made.total == 6
    assert made.tiles(ClassRound(1, "z")) == ("b",)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.booleans()), max_size=20))
def test_the_counts_are_always_those_of_the_labels(acts: list[tuple[str, bool]]) -> None:
    made = order()
    for visit_id, given_it in acts:
        label = made[visit_id].labels[0].wnid
        made.judge(visit_id, label, CORRECT if given_it else None)
    labels = [label for v in ("a", "b", "b again", "c") for label in made[v].labels]
    assert made.done == sum(label.own is not None for label in labels)
    for one in made.rounds():
        waiting = [v for v in made.tiles(one) if made.own(v, one.wnid) is None]
        assert made.left_in(one) == len(waiting)


def test_the_place_in_a_second_round_does_not_tell_what_is_asked_again() -> None:
    firsts = 0
    for number in range(400):
        visits = [BlindVisit(f"{number} {n}", (BlindLabel("x"),)) for n in range(2)]
        second = BlindVisit(f"{number} again", (BlindLabel("x"),), first=visits[0].visit_id)
        made = ReviewOrder([*visits, second])
        firsts += made.tiles(ClassRound(2, "x"))[0] == second.visit_id
    # Half of 400, within four standard deviations.
    assert 160 <= firsts <= 240
