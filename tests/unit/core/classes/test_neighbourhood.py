"""The classes around a class: each where it belongs, and no model's opinion among them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.classes.look_alike_ranking import LookAlikeEvidence, LookAlikeRanking
from labeler.core.classes.neighbourhood import (
    MAX_COUSINS,
    MAX_LOOK_ALIKES,
    class_neighbourhood,
)
from labeler.core.classes.taxonomy import load_default

TAXONOMY = load_default()
NO_EVIDENCE = LookAlikeRanking(TAXONOMY, LookAlikeEvidence())
BEAVER, MARMOT, HAMSTER, TIGER = "n02363005", "n02361337", "n02342885", "n02129604"
classes = st.sampled_from(TAXONOMY.class_wnids)


@settings(max_examples=40)
@given(classes)
def test_everyone_around_is_a_class_and_is_once_in_a_group(wnid: str) -> None:
    found = class_neighbourhood(wnid, taxonomy=TAXONOMY, ranking=NO_EVIDENCE)
    groups = (found.siblings, found.look_alikes, found.cousins)
    everyone = [other for group in groups for other in group]
    assert found.centre == wnid
    assert wnid not in everyone
    assert all(map(TAXONOMY.is_class, everyone))
    assert len(everyone) == len(set(everyone))
    assert len(found.look_alikes) <= MAX_LOOK_ALIKES
    assert len(found.cousins) <= MAX_COUSINS


@settings(max_examples=40)
@given(classes)
def test_siblings_share_a_parent_and_cousins_a_grandparent_nearest_first(wnid: str) -> None:
    found = class_neighbourhood(wnid, taxonomy=TAXONOMY, ranking=NO_EVIDENCE)
    parents = TAXONOMY[wnid].parents
    grandparents = {above for parent in parents for above in TAXONOMY[parent].parents}
    assert all(set(TAXONOMY[s].parents) & set(parents) for s in found.siblings)
    assert all(any(TAXONOMY.is_under(c, g) for g in grandparents) for c in found.cousins)
    distances = [TAXONOMY.distance(wnid, cousin) for cousin in found.cousins]
    assert distances == sorted(distances)


def test_the_beaver_has_its_fellow_rodents_next_to_it() -> None:
    found = class_neighbourhood(BEAVER, taxonomy=TAXONOMY, ranking=NO_EVIDENCE)
    names = [TAXONOMY[wnid].name for wnid in found.siblings]
    assert names == ["hamster", "porcupine", "marmot"]
    assert "hare" in [TAXONOMY[wnid].name for wnid in found.cousins]


def test_what_the_guide_tells_apart_are_the_first_look_alikes_siblings_too() -> None:
    evidence = LookAlikeEvidence(guide_pairs={(MARMOT, BEAVER), (BEAVER, TIGER)})
    ranking = LookAlikeRanking(TAXONOMY, evidence)
    found = class_neighbourhood(BEAVER, taxonomy=TAXONOMY, ranking=ranking)
    assert set(found.look_alikes[:2]) == {MARMOT, TIGER}
    assert HAMSTER not in found.look_alikes
    assert {MARMOT, HAMSTER} < set(found.siblings)
