from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.classes.look_alikes import LookAlike, LookAlikeReason, find_look_alikes
from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode, load_default
from labeler.core.errors import RefusedError

MALAMUTE, HUSKY, ESKIMO_DOG = "n02110063", "n02110185", "n02109961"
CRANE_BIRD, CRANE_MACHINE, TOASTER = "n02012849", "n03126707", "n04442312"

# Few enough classes that the pairs drawn for them often meet.
SOME_CLASSES = (MALAMUTE, HUSKY, ESKIMO_DOG, CRANE_BIRD, CRANE_MACHINE, TOASTER)
wnids = st.sampled_from(SOME_CLASSES)
pairs = st.tuples(wnids, wnids)
guides = st.lists(pairs, max_size=6)
confusion_counts = st.dictionaries(pairs, st.integers(min_value=0, max_value=9), max_size=12)


def ranked(wnid: str, **given: Any) -> tuple[LookAlike, ...]:
    defaults = {"taxonomy": load_default(), "guide_pairs": (), "confusions": {}, "count": 5}
    return find_look_alikes(wnid, **(defaults | given))


def partner(wnid: str, among: tuple[LookAlike, ...]) -> LookAlike:
    return next(found for found in among if found.wnid == wnid)


def test_without_guide_and_confusions_the_nearest_classes_are_the_look_alikes() -> None:
    found = ranked(MALAMUTE, count=3)
    nearest = load_default().nearest_classes(MALAMUTE, 3)
    assert tuple(look_alike.wnid for look_alike in found) == nearest
    assert all(look_alike.reasons == {LookAlikeReason.NEAR} for look_alike in found)


def test_a_pair_of_the_guide_comes_before_any_class_that_is_only_near() -> None:
    found = ranked(CRANE_BIRD, guide_pairs=[(CRANE_MACHINE, CRANE_BIRD)])
    assert found[0].wnid == CRANE_MACHINE
    assert found[0].reasons == {LookAlikeReason.GUIDE}


def test_all_reasons_for_one_class_add_up() -> None:
    found = ranked(
        MALAMUTE, guide_pairs=[(MALAMUTE, HUSKY)], confusions={(HUSKY, MALAMUTE): 4}, count=1
    )
    assert found == (LookAlike(wnid=HUSKY, reasons=frozenset(LookAlikeReason), score=3.0),)


def test_confusions_count_in_both_directions() -> None:
    confusions = {(TOASTER, MALAMUTE): 3, (MALAMUTE, TOASTER): 2, (MALAMUTE, CRANE_BIRD): 4}
    found = ranked(MALAMUTE, confusions=confusions)
    assert partner(TOASTER, found).score > partner(CRANE_BIRD, found).score


def test_right_answers_and_unknown_classes_are_passed_over() -> None:
    confusions = {(MALAMUTE, MALAMUTE): 900, (MALAMUTE, "n99999999"): 50, (TOASTER, MALAMUTE): 0}
    guide = [(MALAMUTE, MALAMUTE), (MALAMUTE, "n99999999")]
    assert ranked(MALAMUTE, confusions=confusions, guide_pairs=guide) == ranked(MALAMUTE)


def test_a_class_without_relatives_has_the_look_alikes_that_guide_and_models_name() -> None:
    lonely = [
        TaxonomyNode(wnid=wnid, lemmas=(wnid,), gloss="", parents=(), children=())
        for wnid in (MALAMUTE, TOASTER)
    ]
    taxonomy = Taxonomy(source="ours", class_wnids=[MALAMUTE, TOASTER], nodes=lonely)
    assert ranked(MALAMUTE, taxonomy=taxonomy) == ()
    found = ranked(MALAMUTE, taxonomy=taxonomy, guide_pairs=[(TOASTER, MALAMUTE)])
    assert found == (LookAlike(TOASTER, frozenset({LookAlikeReason.GUIDE}), 1.0),)


def test_only_a_class_has_look_alikes() -> None:
    with pytest.raises(RefusedError, match="'n02084071' is not a class"):
        ranked("n02084071")


@settings(deadline=None)
@given(wnid=wnids, guide=guides, confusions=confusion_counts, count=st.integers(0, 30))
def test_look_alikes_are_different_classes_strongest_first_and_never_the_class_itself(
    wnid: str, guide: list[tuple[str, str]], confusions: dict[tuple[str, str], int], count: int
) -> None:
    found = ranked(wnid, guide_pairs=guide, confusions=confusions, count=count)
    names = [look_alike.wnid for look_alike in found]
    assert len(found) == count
    assert len(set(names)) == count
    assert wnid not in names
    assert all(load_default().is_class(name) for name in names)
    index_of = load_default().index_of
    assert list(found) == sorted(found, key=lambda f: (-f.score, index_of(f.wnid)))
    assert all(look_alike.reasons and 0 < look_alike.score <= 3 for look_alike in found)


@settings(deadline=None)
@given(wnid=wnids, guide=guides, confusions=confusion_counts)
def test_neither_the_order_of_pairs_nor_the_order_in_a_pair_matters(
    wnid: str, guide: list[tuple[str, str]], confusions: dict[tuple[str, str], int]
) -> None:
    turned_guide = [(b, a) for a, b in reversed(guide)]
    turned_confusions = {(b, a): n for (a, b), n in reversed(confusions.items())}
    assert ranked(wnid, guide_pairs=guide, confusions=confusions) == ranked(
        wnid, guide_pairs=turned_guide, confusions=turned_confusions
    )


@settings(max_examples=30, deadline=None)
@given(one=wnids, other=wnids, guide=guides, confusions=confusion_counts)
def test_guide_and_confusions_make_look_alikes_of_each_other(
    one: str, other: str, guide: list[tuple[str, str]], confusions: dict[tuple[str, str], int]
) -> None:
    def mutual(wnid: str, partner_wnid: str) -> frozenset[LookAlikeReason]:
        found = ranked(wnid, guide_pairs=guide, confusions=confusions, count=999)
        reasons = (look_alike.reasons for look_alike in found if look_alike.wnid == partner_wnid)
        return next(reasons, frozenset()) - {LookAlikeReason.NEAR}

    assert mutual(one, other) == mutual(other, one)


@settings(max_examples=30, deadline=None)
@given(wnid=wnids, other=wnids, guide=guides, confusions=confusion_counts)
def test_telling_a_pair_apart_never_lowers_it(
    wnid: str, other: str, guide: list[tuple[str, str]], confusions: dict[tuple[str, str], int]
) -> None:
    def place(pairs: list[tuple[str, str]]) -> int:
        found = ranked(wnid, guide_pairs=pairs, confusions=confusions, count=999)
        return [look_alike.wnid for look_alike in found].index(other)

    if wnid != other:
        assert place([*guide, (wnid, other)]) <= place(guide)
