"""What to train next: each suggestion has a reason that the answers bear out."""

import pytest

from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import load_default
from labeler.core.training.families import (
    MAX_CLASSES,
    MIN_CLASSES,
    ProgressFamily,
    explaining_families,
    family_subtrees,
    progress_families,
)
from labeler.core.training.progress import ClassSetScores, ConfusedPair, TrainingScore
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource
from labeler.core.training.suggestions import (
    SuggestionInput,
    SuggestionReason,
    training_suggestions,
)

TERRIERS = ProgressFamily("subtree:t", "terrier", ("a", "b", "c"))
BIRDS = ProgressFamily("subtree:b", "bird", ("d", "e"))
MAMMALS = ProgressFamily("superclass:Mammals", "Mammals", ("a", "b", "c"), broad=True)
NOTHING = ClassSetScores(TrainingScore(), TrainingScore(), 0)


def known(**changes) -> SuggestionInput:
    usual = {
        "explaining": (),
        "families": [(MAMMALS, NOTHING), (TERRIERS, NOTHING), (BIRDS, NOTHING)],
        "pairs": (),
        "offered": frozenset("abcde"),
        "met": frozenset("abcde"),
        "due": (),
        "wnids": tuple("abcde"),
        "names": ("Airedale", "Border", "Cairn", "dove", "eagle"),
    }
    return SuggestionInput(**{**usual, **changes})


def test_a_family_missed_in_the_last_week_is_suggested_with_its_counts() -> None:
    lately = ClassSetScores(TrainingScore(9, 6), TrainingScore(5, 2), 3)
    found = training_suggestions(
        known(explaining=[(TERRIERS, lately), (BIRDS, NOTHING)], families=[(MAMMALS, lately)])
    )
    assert [(s.why, s.title, s.count, s.of) for s in found] == [
        (SuggestionReason.MISSED, "terrier", 3, 5)
    ]
    assert found[0].request == TrainingRequest(TrainingSource.SUBTREES, ("a", "b", "c"))


@pytest.mark.parametrize("lately", [TrainingScore(5, 4), TrainingScore(20, 17), TrainingScore()])
def test_few_mistakes_send_no_one_back(lately: TrainingScore) -> None:
    assert (
        training_suggestions(known(explaining=[(TERRIERS, ClassSetScores(lately, lately, 3))]))
        == ()
    )


def test_the_most_specific_family_with_all_the_mistakes_is_named() -> None:
    device = ProgressFamily("subtree:d", "device", tuple("abcde"))
    strings = ProgressFamily("subtree:s", "bowed strings", tuple("abc"))
    all_answers = ClassSetScores(TrainingScore(20, 16), TrainingScore(12, 8), 5)
    of_strings = ClassSetScores(TrainingScore(6, 2), TrainingScore(6, 2), 3)
    found = training_suggestions(known(explaining=[(device, all_answers), (strings, of_strings)]))
    assert [each.title for each in found] == ["bowed strings"]


def test_mistakes_in_every_part_of_a_family_name_the_whole() -> None:
    whole = ProgressFamily("subtree:w", "whole", tuple("abcde"))
    part = ProgressFamily("subtree:p", "part", tuple("abc"))
    missed_all, missed_half = TrainingScore(10, 0), TrainingScore(5, 0)
    found = training_suggestions(
        known(
            explaining=[
                (whole, ClassSetScores(missed_all, missed_all, 5)),
                (part, ClassSetScores(missed_half, missed_half, 3)),
            ]
        )
    )
    assert [each.title for each in found] == ["whole"]


def test_mistakes_with_instruments_suggest_instruments_instead_of_devices() -> None:
    taxonomy = load_default()
    names = {name: wnid for wnid, name in taxonomy.display_names.items()}
    instruments = [names[name] for name in ("cello", "violin", "banjo", "acoustic guitar")]
    others = [names[name] for name in ("stopwatch", "space heater", "sundial")]
    found = explaining_families(default_groups(taxonomy), [*instruments, *others])
    smallest = min(
        (family for family in found if set(instruments) <= set(family.wnids)),
        key=lambda family: len(family.wnids),
    )
    assert not set(others) & set(smallest.wnids)


def test_a_family_is_trained_on_with_exactly_its_own_classes() -> None:
    taxonomy = load_default()
    for family in progress_families(default_groups(taxonomy), taxonomy.class_wnids):
        asked = family.request.subject
        trained = {wnid for each in asked for wnid in taxonomy.classes_under(each)}
        assert trained == set(family.wnids), family.title


def test_a_pair_confused_more_than_once_is_suggested() -> None:
    pairs = (ConfusedPair(0, 2, 2, 1, 7, 1), ConfusedPair(1, 2, 1, 0, 7, 1))
    (only,) = training_suggestions(known(pairs=pairs))
    assert (only.why, only.title, only.wnids) == (
        SuggestionReason.CONFUSED,
        "Airedale and Cairn",
        ("a", "c"),
    )
    assert (only.count, only.of) == (3, 7)
    assert only.request == TrainingRequest(TrainingSource.SUBTREES, ("a", "c"))


def test_what_is_due_comes_first_and_what_was_never_met_last() -> None:
    lately = ClassSetScores(TrainingScore(5, 2), TrainingScore(5, 2), 3)
    weak = [(TERRIERS, lately), (BIRDS, NOTHING)]
    found = training_suggestions(
        known(explaining=weak, families=weak, due=("b", "nowhere"), met=frozenset("abc")), most=9
    )
    assert [s.why for s in found] == [
        SuggestionReason.DUE,
        SuggestionReason.MISSED,
        SuggestionReason.NEVER_MET,
    ]
    assert found[0].wnids == ("b",)
    assert found[0].request == TrainingRequest(TrainingSource.DUE, length=1)
    assert (found[2].title, found[2].count, found[2].of) == ("bird", 2, 2)


def test_without_answers_everything_is_suggested() -> None:
    (only,) = training_suggestions(known(met=frozenset()))
    assert (only.title, only.count) == ("Everything", 5)
    assert only.request == TrainingRequest(TrainingSource.EVERYTHING)
    assert training_suggestions(known(met=frozenset(), offered=frozenset())) == ()


def test_a_pair_without_training_images_is_not_suggested() -> None:
    pairs = (ConfusedPair(0, 2, 2, 2, 7, 1),)
    assert training_suggestions(known(pairs=pairs, offered=frozenset("abde"))) == ()


def test_the_families_of_the_whole_taxonomy_are_small_subtrees() -> None:
    taxonomy = load_default()
    found = family_subtrees(default_groups(taxonomy), taxonomy.class_wnids)
    assert all(MIN_CLASSES <= len(family.wnids) <= MAX_CLASSES for family in found)
    assert "terriers" in {family.title.casefold() for family in found}
    around = {wnid for family in found for wnid in family.wnids}
    assert len(around) > 750  # the rest have no near relatives


def test_a_family_without_an_offered_class_is_left_out() -> None:
    groups = default_groups(load_default())
    dogs = groups.resolve("dogs")
    found = progress_families(groups, dogs)
    assert [family.title for family in found if family.broad] == ["Dogs"]
    assert all(set(family.wnids) & set(dogs) for family in found)


def test_saved_families_are_reported_and_trained_on_by_their_name() -> None:
    groups = default_groups(load_default())
    dogs = groups.resolve("dogs")
    saved = (
        SavedFamily("my dogs", dogs[:3], False),
        SavedFamily("elsewhere", ("n01440764",), True),
    )
    (family,) = [family for family in progress_families(groups, dogs, saved) if family.saved]
    assert (family.title, family.wnids) == ("my dogs", dogs[:3])
    assert family.request == TrainingRequest(TrainingSource.FAMILY, ("my dogs",))


def test_every_family_can_be_asked_for() -> None:
    groups = default_groups(load_default())
    broad, *_ = progress_families(groups, groups.resolve("dogs"))
    assert broad.request == TrainingRequest(TrainingSource.SUBTREES, broad.wnids)
