"""Decks have what their title promises, and those suggested follow from the answers."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.training.decks import (
    DeckInput,
    DeckKind,
    DeckSubject,
    hardest_classes,
    suggested_decks,
    training_decks,
)
from labeler.core.training.progress import TrainingScore
from labeler.core.training.request import (
    DEFAULT_LENGTH,
    MAX_LENGTH,
    TrainingRequest,
    TrainingSource,
)
from labeler.core.training.suggestions import SuggestionReason, TrainingSuggestion

OFFERED = dict.fromkeys("abcdef", 3)
scores = st.builds(
    lambda right, wrong: TrainingScore(right + wrong, right), st.integers(0, 9), st.integers(0, 9)
)
some_classes = st.lists(st.sampled_from("abcdefxyz"), unique=True)


def known(**changes) -> DeckInput:
    usual = {
        "offered": OFFERED,
        "own": {},
        "group": {},
        "due": (),
        "mistakes": (),
        "pages": (),
        "families": (),
        "names": {wnid: wnid.upper() for wnid in "abcdefxyz"},
        "look_alikes": lambda wnid: (wnid, "a", "f"),
    }
    return DeckInput(**{**usual, **changes})


def only(kind: DeckKind, given_: DeckInput):
    (found,) = [deck for deck in training_decks(given_) if deck.kind is kind]
    return found


def test_a_page_without_two_classes_in_training_is_no_deck() -> None:
    pages = (DeckSubject("Rodents", ("a", "b", "x")), DeckSubject("Fish", ("c", "y")))
    page = only(DeckKind.PAGE, known(pages=pages))
    assert (page.title, page.wnids, page.images) == ("Rodents", ("a", "b"), 6)
    assert page.request == TrainingRequest(TrainingSource.SUBTREES, ("a", "b", "x"))


def test_a_deck_has_the_labelers_own_numbers() -> None:
    deck = only(
        DeckKind.FAMILY,
        known(
            families=(DeckSubject("Cats", ("a", "b", "c")),),
            own={"a": TrainingScore(4, 1), "b": TrainingScore(2, 2), "d": TrainingScore(9, 0)},
            due=("b", "d"),
        ),
    )
    assert (deck.score, deck.due) == (TrainingScore(6, 3), 1)


def test_look_alikes_are_of_the_classes_that_were_missed_most() -> None:
    own = {"b": TrainingScore(5, 4), "c": TrainingScore(5, 1), "d": TrainingScore(3, 3)}
    decks = [d for d in training_decks(known(own=own)) if d.kind is DeckKind.LOOK_ALIKES]
    assert [deck.request.subject for deck in decks] == [("c",), ("b",)]
    assert decks[0].wnids == ("c", "a", "f")


def test_the_classes_due_are_all_trained_if_a_training_can_be_so_long() -> None:
    many = {f"w{number}": 1 for number in range(900)}
    for count, length in ((3, DEFAULT_LENGTH), (60, 60), (900, MAX_LENGTH)):
        due = only(DeckKind.DUE, known(offered=many, due=tuple(many)[:count]))
        assert due.request == TrainingRequest(TrainingSource.DUE, length=length)


def test_what_was_never_met_is_everything_without_an_answer() -> None:
    met = {"a": TrainingScore(1, 0), "x": TrainingScore(1, 1)}
    assert only(DeckKind.NEVER_MET, known(own=met)).wnids == tuple("bcdef")


def test_chance_makes_no_class_hard() -> None:
    group = {
        "a": TrainingScore(2, 0),
        "b": TrainingScore(30, 25),
        "c": TrainingScore(9, 3),
        "d": TrainingScore(90, 45),
    }
    assert hardest_classes(group) == ("d", "c")


def test_due_classes_and_the_explained_mistakes_are_suggested_first() -> None:
    given_ = known(
        due=("a", "b"),
        mistakes=("a", "c"),
        own={"a": TrainingScore(3, 1)},
        families=(DeckSubject("Cats", ("d", "e")),),
    )
    cause = TrainingSuggestion(
        why=SuggestionReason.MISSED,
        title="Weasels",
        request=TrainingRequest(TrainingSource.SUBTREES, ("a", "d")),
        wnids=("a", "d"),
        count=2,
        of=3,
    )
    found = suggested_decks(training_decks(given_), [cause], given_)
    assert [deck.title for deck in found] == ["Due today", "Weasels", "Never met", "My mistakes"]
    assert [deck.suggestion for deck in found] == [None, cause, None, None]


@given(
    own=st.dictionaries(st.sampled_from("abcdefxyz"), scores),
    group=st.dictionaries(st.sampled_from("abcdefxyz"), scores),
    due=some_classes,
    mistakes=some_classes,
    page=some_classes,
    most=st.integers(0, 5),
)
def test_every_deck_can_be_trained_and_no_two_suggested_are_the_same(
    *, own, group, due, mistakes, page, most
) -> None:
    given_ = known(
        own=own, group=group, due=due, mistakes=mistakes, pages=(DeckSubject("Page", tuple(page)),)
    )
    decks = training_decks(given_)
    for deck in decks:
        assert deck.wnids
        assert set(deck.wnids) <= set(OFFERED)
        assert len(set(deck.wnids)) == len(deck.wnids)
        assert deck.images == 3 * len(deck.wnids)
        assert 0 <= deck.due <= len(deck.wnids)
        assert 0 <= deck.score.right <= deck.score.answered
    suggested = suggested_decks(decks, (), given_, most=most)
    assert len(suggested) <= most
    assert len({frozenset(deck.wnids) for deck in suggested}) == len(suggested)
