"""The shortlist holds up to four classes in the order in which they were added."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.shortlist import MAX_SHORTLISTED, SHORTLIST_FULL, Shortlist

NAMES = {letter: f"class {letter}" for letter in "abcdef"}


def shortlist(*wnids: str) -> Shortlist:
    made = Shortlist(NAMES)
    made.restore(wnids)
    return made


def test_a_class_is_put_on_and_taken_off_by_the_same_wish() -> None:
    made = Shortlist(NAMES)
    assert made.toggle("b").classes == (ClassLink("b", "class b"),)
    assert made.toggle("a").wnids == ("b", "a")
    assert made.toggle("b").wnids == ("a",)


def test_a_fifth_class_is_refused_with_a_sentence_that_the_next_change_takes_away() -> None:
    made = shortlist("a", "b", "c", "d")
    refused = made.toggle("e")
    assert refused.wnids == ("a", "b", "c", "d")
    assert refused.refusal == SHORTLIST_FULL
    assert made.toggle("a").refusal == ""
    assert made.toggle("e").wnids == ("b", "c", "d", "e")


def test_a_class_is_removed_and_the_list_emptied() -> None:
    made = shortlist("a", "b", "c")
    assert made.remove("b").wnids == ("a", "c")
    assert made.remove("b").wnids == ("a", "c")
    assert made.clear().wnids == ()


def test_a_restored_list_has_no_class_twice_no_stranger_and_no_fifth() -> None:
    assert shortlist("a", "x", "b", "a", "c", "d", "e").view.wnids == ("a", "b", "c", "d")


@given(st.lists(st.sampled_from(sorted(NAMES)), max_size=30))
def test_whatever_is_toggled_the_list_stays_short_and_without_repeats(wishes: list[str]) -> None:
    made = Shortlist(NAMES)
    model: list[str] = []
    for wish in wishes:
        if wish in model:
            model.remove(wish)
        elif len(model) < MAX_SHORTLISTED:
            model.append(wish)
        assert list(made.toggle(wish).wnids) == model
