"""A reviewer's way through a review, by image and by class."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.blind_review import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.review_order import ReviewOrder
from labeler.core.study import Verdict

CORRECT = OwnVerdict(Verdict.CORRECT)


def order() -> ReviewOrder:
    """Three images; b's second visit asks its label again."""
    return ReviewOrder(
        [
            BlindVisit("a", (BlindLabel("x"), BlindLabel("y"))),
            BlindVisit("b", (BlindLabel("x"),)),
            BlindVisit("b again", (BlindLabel("x"),), again=True),
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


def test_a_second_asking_is_no_tile_of_its_class() -> None:
    made = order()
    assert set(made.tiles("x")) == {"a", "b"}
    assert made.class_progress("x").total == 2


def test_a_verdict_taken_back_waits_again() -> None:
    made = order()
    made.judge("c", "y", None)
    assert made.own("c", "y") is None
    assert made.class_progress("y").left == 2


def test_an_added_label_is_asked_once_and_counted() -> None:
    made = order()
    for _twice in range(2):
        made.add_label("b", "z")
    assert {label.wnid for label in made["b"].labels} == {"x", "z"}
    assert made.total == 6
    assert made.tiles("z") == ("b",)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.booleans()), max_size=20))
def test_the_counts_are_always_those_of_the_labels(acts: list[tuple[str, bool]]) -> None:
    made = order()
    for visit_id, given_it in acts:
        label = made[visit_id].labels[0].wnid
        made.judge(visit_id, label, CORRECT if given_it else None)
    labels = [label for v in ("a", "b", "b again", "c") for label in made[v].labels]
    assert made.done == sum(label.own is not None for label in labels)
    for progress in made.classes():
        waiting = [v for v in made.tiles(progress.wnid) if made.own(v, progress.wnid) is None]
        assert progress.left == len(waiting)
