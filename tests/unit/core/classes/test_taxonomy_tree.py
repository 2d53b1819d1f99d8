"""The tree for browsing: nothing is lost by unfolding, folding or pruning, and counts are right."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode, load_default
from labeler.core.classes.taxonomy_tree import NO_PARENT, TaxonomyTree, build_taxonomy_tree

IMAGENET = load_default()
WHOLE = build_taxonomy_tree(IMAGENET)
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


def node_path(tree: TaxonomyTree, row: int) -> tuple[str, ...]:
    """All nodes from the top to the row, the folded ones included."""
    return tuple(wnid for above in (*tree.ancestor_rows(row), row) for wnid in tree.nodes[above])


def class_paths(tree: TaxonomyTree) -> set[tuple[str, ...]]:
    return {node_path(tree, row) for row in range(len(tree)) if tree.is_class(row)}


def check_shape(tree: TaxonomyTree) -> None:
    """Parents, children and positions tell the same story, a parent first."""
    for row, parent in enumerate(tree.parents):
        siblings = tree.top if parent == NO_PARENT else tree.children[parent]
        assert siblings[tree.positions[row]] == row
        assert parent < row
        assert tree.depths[row] == len(tree.ancestor_rows(row))
    assert len(tree.top) + sum(map(len, tree.children)) == len(tree)


def check_folding(tree: TaxonomyTree) -> None:
    """No row but a class's has an only child, and no class is folded into another row."""
    for row, children in enumerate(tree.children):
        assert len(children) != 1 or tree.is_class(row)
        assert not tree.classes.intersection(tree.nodes[row][:-1])
        assert tree.row(row).classes == len(classes_below(tree, row))


def classes_below(tree: TaxonomyTree, row: int) -> set[str]:
    own = {tree.wnid(row)} & tree.classes
    return own.union(*(classes_below(tree, child) for child in tree.children[row]))


@given(taxonomies())
def test_every_way_to_every_class_is_in_the_tree_and_no_other(taxonomy: Taxonomy) -> None:
    tree = build_taxonomy_tree(taxonomy)
    ways = {path for wnid in taxonomy.class_wnids for path in taxonomy.paths(wnid)}
    assert class_paths(tree) == ways
    check_shape(tree)
    check_folding(tree)


@given(taxonomies(), st.data())
def test_a_pruned_tree_has_the_ways_to_its_classes_only(
    taxonomy: Taxonomy, data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(taxonomy.class_wnids)))
    tree = build_taxonomy_tree(taxonomy).pruned(kept)
    assert class_paths(tree) == {path for wnid in kept for path in taxonomy.paths(wnid)}
    check_shape(tree)
    check_folding(tree)


@given(st.sets(st.sampled_from(IMAGENET.class_wnids), max_size=60))
def test_imagenet_pruned_to_some_classes(kept: set[str]) -> None:
    tree = WHOLE.pruned(kept)
    assert class_paths(tree) == {path for wnid in kept for path in IMAGENET.paths(wnid)}
    check_shape(tree)
    check_folding(tree)


@given(taxonomies(), st.data())
def test_the_rows_of_a_node_hold_it_in_the_order_of_its_paths(
    taxonomy: Taxonomy, data: st.DataObject
) -> None:
    tree = build_taxonomy_tree(taxonomy)
    wnid = data.draw(st.sampled_from(sorted(taxonomy.nodes)))
    rows = tree.rows_of(wnid)
    cut = [node_path(tree, row)[: node_path(tree, row).index(wnid) + 1] for row in rows]
    assert cut == list(taxonomy.paths(wnid))


@given(taxonomies(), st.data())
def test_a_row_is_seen_when_all_above_it_are_open(taxonomy: Taxonomy, data: st.DataObject) -> None:
    tree = build_taxonomy_tree(taxonomy)
    opened = frozenset(data.draw(st.sets(st.integers(0, len(tree) - 1))))
    for rows in (opened, tree.branches):
        seen = [row for row in range(len(tree)) if rows.issuperset(tree.ancestor_rows(row))]
        assert list(tree.visible_rows(rows)) == seen
    assert list(tree.visible_rows(tree.branches)) == list(range(len(tree)))


def test_unknown_classes_and_branches_are_passed_over_when_pruning() -> None:
    assert WHOLE.pruned({BEAVER, DOG, "n99999999"}).classes == {BEAVER}
    assert len(WHOLE.pruned(())) == 0


def test_pruning_a_pruned_tree_brings_nothing_back() -> None:
    assert WHOLE.pruned({BEAVER}).pruned({BEAVER, PAPILLON}).classes == {BEAVER}


def test_imagenet_has_its_classes_counted_once_however_many_ways_lead_to_them() -> None:
    assert WHOLE.row(WHOLE.top[0]).classes == 1000
    dogs = WHOLE.rows_of(DOG)
    assert len(dogs) == 2
    assert {WHOLE.row(row).classes for row in dogs} == {118}


def test_a_chain_of_only_children_is_one_row_that_loses_no_name() -> None:
    row = WHOLE.row(WHOLE.rows_of("n00004475")[0])
    assert (row.folded, row.name) == (("living thing",), "organism")
    only = WHOLE.pruned({BEAVER})
    assert len(only) == 1
    assert [*only.row(0).folded, only.row(0).name] == [
        IMAGENET[wnid].name for wnid in IMAGENET.paths(BEAVER)[0]
    ]


def test_folding_saves_rows() -> None:
    unfolded = sum(len(IMAGENET.paths(wnid)) for wnid in IMAGENET.nodes)
    assert len(WHOLE) < 0.8 * unfolded


def test_a_class_that_shares_its_name_is_distinguished() -> None:
    names = [WHOLE.row(row).name for row in range(len(WHOLE)) if WHOLE.is_class(row)]
    assert "crane" not in names
    assert any(name.startswith("crane (") for name in names)


def test_rows_stand_in_the_order_of_the_taxonomy() -> None:
    children = [WHOLE.nodes[row][0] for row in WHOLE.children[WHOLE.top[0]]]
    assert all(one < other for one, other in pairwise(children))
