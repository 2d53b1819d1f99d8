"""Each class has one place, no two places read the same, and families divide a superclass."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given

from labeler.core.classes.branch_names import branch_name, family_names
from labeler.core.classes.branches import Branch, CanonicalBranches, canonical_branches
from labeler.core.classes.families import MAX_FAMILIES, MIN_FAMILIES, class_families
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy, load_default
from tests.small_taxonomies import large_taxonomy, taxonomies

IMAGENET = load_default()
BRANCHES = canonical_branches(default_groups(IMAGENET))
FAMILIES = class_families(BRANCHES)
OTTER, LEMON = "n02444819", "n07749582"
EDIBLE_FRUIT = "n07705931"


def branches_of(taxonomy: Taxonomy) -> CanonicalBranches:
    return canonical_branches(default_groups(taxonomy))


def check_places(branches: CanonicalBranches) -> None:
    """Every class has one place, and every place a label of its own."""
    places = Counter(branch.key for branch in branches.walk())
    assert set(places.values()) <= {1}
    assert {b.key for b in branches.walk() if b.is_class} == set(branches.taxonomy.class_wnids)
    labels = [branches.labels[key].casefold() for key in places]
    assert len(labels) == len(set(labels))


def check_families(branches: CanonicalBranches) -> None:
    """Families have each class once, in no more groups than fit on a map."""
    found = class_families(branches)
    wnids = [wnid for superclass in found for wnid in superclass.wnids]
    assert sorted(wnids) == sorted(branches.taxonomy.class_wnids)
    for superclass in found:
        assert 1 <= len(superclass.families) <= MAX_FAMILIES
        assert all(family.wnids for family in superclass.families)
        assert len({family.key for family in superclass.families}) == len(superclass.families)


@given(taxonomies())
def test_any_taxonomy_has_one_place_for_each_class(taxonomy: Taxonomy) -> None:
    check_places(branches_of(taxonomy))
    check_families(branches_of(taxonomy))


@given(taxonomies())
def test_a_place_follows_the_taxonomys_own_links(taxonomy: Taxonomy) -> None:
    for branch in branches_of(taxonomy).walk():
        for child in branch.children:
            below = (*child.folded, child.key)
            own = [branch.key, *below] if branch.key in taxonomy else list(below)
            assert all(b in taxonomy[a].children for a, b in pairwise(own))


def test_imagenet_has_five_to_twelve_families_in_each_superclass() -> None:
    check_places(BRANCHES)
    check_families(BRANCHES)
    for superclass in FAMILIES:
        assert MIN_FAMILIES <= len(superclass.families) <= MAX_FAMILIES


def test_as_many_classes_as_wordnet_has_pictured_are_divided_too() -> None:
    branches = branches_of(large_taxonomy(21_841))
    check_places(branches)
    check_families(branches)
    assert len(branches.superclasses) == 9
    for superclass in class_families(branches):
        assert len(superclass.families) >= MIN_FAMILIES


def test_the_order_never_changes() -> None:
    assert class_families(branches_of(IMAGENET)) == FAMILIES


def test_a_class_is_reached_through_its_superclass_by_the_shortest_path() -> None:
    assert path_to(LEMON) == [
        "Food, plants, fungi",
        "fruit, vegetables, bread",
        "fruit and vegetables",
        "edible fruit",
        "citrus fruit",
        "lemon",
    ]
    assert path_to(OTTER)[0] == "Other mammals"


def path_to(wnid: str) -> list[str]:
    found: list[str] = []
    level: tuple[Branch, ...] = BRANCHES.superclasses
    while level:
        here = next(branch for branch in level if wnid in branch.classes)
        found.append(BRANCHES.labels[here.key])
        level = here.children
    return found


def test_every_name_belongs_to_a_node_of_the_shipped_taxonomy() -> None:
    for wnid, known in family_names().items():
        assert wnid in IMAGENET
        assert known.classes is None or known.classes == len(IMAGENET.classes_under(wnid))
        assert branch_name(IMAGENET, wnid) == known.name


def test_every_branch_of_imagenet_has_a_name_that_people_use() -> None:
    inner = [b for b in BRANCHES.walk() if b.children and not b.key.startswith("superclass:")]
    assert [b.key for b in inner if b.key not in family_names()] == []
    assert [b.key for b in inner if BRANCHES.labels[b.key] != family_names()[b.key].name] == []


def test_a_name_that_describes_fewer_classes_gives_way_to_wordnets() -> None:
    nodes = IMAGENET.nodes.values()
    more = Taxonomy(source="test", class_wnids=sorted(IMAGENET.nodes), nodes=nodes)
    limited = next(wnid for wnid, known in family_names().items() if known.classes)
    assert branch_name(more, limited) == more[limited].name


@pytest.mark.parametrize("wnid", [EDIBLE_FRUIT])
def test_a_name_without_a_limit_is_used_everywhere(wnid: str) -> None:
    assert branch_name(IMAGENET, wnid) == family_names()[wnid].name
