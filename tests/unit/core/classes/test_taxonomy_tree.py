"""The tree for browsing: each class has one row, counts are right, and no two rows read alike."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode, load_default
from labeler.core.classes.taxonomy_tree import (
    NO_PARENT,
    TaxonomyTree,
    build_taxonomy_tree,
    other_places,
)

IMAGENET = load_default()
BRANCHES = canonical_branches(default_groups(IMAGENET))
WHOLE = build_taxonomy_tree(BRANCHES)
ORGAN, WIND_INSTRUMENT = "n03854065", "n04586932"
BEAVER, PAPILLON, DOG = "n02363005", "n02086910", "n02084071"


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    """Small graphs in which every node has parents among those before it."""
    size = draw(st.integers(1, 14))
    wnids = [f"n{number:02}" for number in range(size)]
    parents = [
        draw(st.sets(st.sampled_from(wnids[:number]), max_size=3)) if number else set()
        for number in range(size)
    ]
    children = {w: [c for c, p in zip(wnids, parents, strict=True) if w in p] for w in wnids}
    leaves = [wnid for wnid in wnids if not children[wnid]]
    inner = [wnid for wnid in wnids if children[wnid]]
    above = draw(st.sets(st.sampled_from(inner))) if inner else set()
    nodes = [
        TaxonomyNode(wnid, (f"name of {wnid}",), "", tuple(sorted(p)), tuple(children[wnid]))
        for wnid, p in zip(wnids, parents, strict=True)
    ]
    return Taxonomy(source="test", class_wnids=sorted({*leaves, *above}), nodes=nodes)


def tree_of(taxonomy: Taxonomy) -> TaxonomyTree:
    return build_taxonomy_tree(canonical_branches(default_groups(taxonomy)))


def check_shape(tree: TaxonomyTree) -> None:
    """Parents, children and positions agree, a parent comes first."""
    for row, parent in enumerate(tree.parents):
        siblings = tree.top if parent == NO_PARENT else tree.children[parent]
        assert siblings[tree.positions[row]] == row
        assert parent < row
        assert tree.depths[row] == len(tree.ancestor_rows(row))
    assert len(tree.top) + sum(map(len, tree.children)) == len(tree)


def check_rows(tree: TaxonomyTree, classes: set[str]) -> None:
    """Every class has one row, no other row has an only child, and counts are right."""
    own = [tree.key(row) for row in range(len(tree)) if tree.is_class(row)]
    assert sorted(own) == sorted(classes)
    for row, children in enumerate(tree.children):
        assert len(children) != 1 or tree.is_class(row) or row in tree.top
        assert set(tree.found[row]) == classes_below(tree, row)
        assert tree.row(row).classes == len(tree.found[row])


def classes_below(tree: TaxonomyTree, row: int) -> set[str]:
    own = {tree.key(row)} & tree.classes
    return own.union(*(classes_below(tree, child) for child in tree.children[row]))


def check_names(tree: TaxonomyTree) -> None:
    names = [tree.row(row).name.casefold() for row in range(len(tree))]
    assert len(set(names)) == len(names)


@given(taxonomies())
def test_every_class_has_one_row(taxonomy: Taxonomy) -> None:
    tree = tree_of(taxonomy)
    check_shape(tree)
    check_rows(tree, set(taxonomy.class_wnids))
    check_names(tree)


@given(taxonomies(), st.data())
def test_a_pruned_tree_has_its_classes_only(taxonomy: Taxonomy, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from(taxonomy.class_wnids)))
    tree = tree_of(taxonomy).pruned(kept)
    check_shape(tree)
    check_rows(tree, kept)
    check_names(tree)


def test_the_rows_of_all_1000_classes_read_differently() -> None:
    check_shape(WHOLE)
    check_rows(WHOLE, set(IMAGENET.class_wnids))
    check_names(WHOLE)


@given(st.sets(st.sampled_from(IMAGENET.class_wnids), max_size=60))
def test_imagenet_pruned_to_some_classes(kept: set[str]) -> None:
    tree = WHOLE.pruned(kept)
    check_shape(tree)
    check_rows(tree, kept)
    check_names(tree)


@given(taxonomies(), st.data())
def test_a_row_is_seen_when_all_above_it_are_open(taxonomy: Taxonomy, data: st.DataObject) -> None:
    tree = tree_of(taxonomy)
    opened = frozenset(data.draw(st.sets(st.integers(0, len(tree) - 1))))
    for rows in (opened, tree.expandable):
        seen = [row for row in range(len(tree)) if rows.issuperset(tree.ancestor_rows(row))]
        assert list(tree.visible_rows(rows)) == seen


def test_unknown_classes_and_branches_are_passed_over_when_pruning() -> None:
    assert WHOLE.pruned({BEAVER, DOG, "n99999999"}).classes == {BEAVER}
    assert len(WHOLE.pruned(())) == 0


def test_imagenet_starts_with_its_superclasses() -> None:
    tops = [WHOLE.row(row) for row in WHOLE.top]
    assert len(tops) == 11
    assert sum(row.classes for row in tops) == 1000
    assert all(row.is_top for row in tops)


def test_a_chain_of_only_children_is_one_row_below_its_superclass() -> None:
    only = WHOLE.pruned({BEAVER})
    assert [only.key(row) for row in range(len(only))][-1] == BEAVER
    assert len(only) == 2
    assert only.row(1).folded


def test_a_folded_node_is_found_in_its_row() -> None:
    folded = [(n, row) for row, branch in enumerate(WHOLE.shown) for n in branch.folded]
    assert folded
    assert all(WHOLE.row_of(node) is not None for node, _row in folded)


@given(taxonomies())
def test_other_places_are_branches_above_the_class_and_not_on_its_path(taxonomy: Taxonomy) -> None:
    branches = canonical_branches(default_groups(taxonomy))
    tree = build_taxonomy_tree(branches)
    for wnid, keys in other_places(branches).items():
        row = tree.row_of(wnid)
        assert row is not None
        for key in keys:
            place = tree.row_of(key)
            assert place is not None
            assert place not in (*tree.ancestor_rows(row), row)
            assert taxonomy.is_under(wnid, key)


def test_an_organ_is_also_a_wind_instrument() -> None:
    assert other_places(BRANCHES)[ORGAN] == (WIND_INSTRUMENT,)
    assert PAPILLON not in other_places(BRANCHES)
