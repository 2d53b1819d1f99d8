import dataclasses
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.classes.taxonomy import (
    CHANGED_OR_DAMAGED,
    DEFAULT_FILE,
    NOT_A_TAXONOMY,
    Taxonomy,
    TaxonomyNode,
    dump,
    load,
    load_default,
    parse,
)
from labeler.core.errors import InputError, RefusedError

ENTITY, DOG, ORGANISM = "n00001740", "n02084071", "n00004475"
CHIHUAHUA, TUSKER, TOASTER = "n02085620", "n01871265", "n04442312"

TAXONOMY = load_default()
nodes = st.sampled_from(sorted(TAXONOMY.nodes))
classes = st.sampled_from(TAXONOMY.class_wnids)
untimed = settings(deadline=None, max_examples=60)


def slow_paths(wnid: str) -> Iterator[tuple[str, ...]]:
    """Every way from the node up, turned round; an independent account of `paths`."""
    ways = [(wnid,)]
    while ways:
        way = ways.pop()
        parents = TAXONOMY[way[0]].parents
        ways.extend((parent, *way) for parent in parents)
        if not parents:
            yield way


def slow_distance(one: str, other: str) -> int:
    """The shortest of all ways up from one and down to the other, over all pairs of paths."""
    lengths = []
    for up, down in itertools.product(slow_paths(one), slow_paths(other)):
        for shared in set(up) & set(down):
            lengths.append(len(up) - up.index(shared) + len(down) - down.index(shared) - 2)
    return min(lengths)


def slow_classes_under(wnid: str) -> set[str]:
    below, waiting = set(), [wnid]
    while waiting:
        node = waiting.pop()
        below.add(node)
        waiting.extend(TAXONOMY[node].children)
    return below & set(TAXONOMY.class_wnids)


def small(*links: tuple[str, str], class_wnids: tuple[str, ...]) -> Taxonomy:
    """A taxonomy of (parent, child) links, whose nodes are named by their ids."""
    wnids = sorted({wnid for link in links for wnid in link} | set(class_wnids))
    made = [
        TaxonomyNode(
            wnid=wnid,
            lemmas=(wnid,),
            gloss="",
            parents=tuple(sorted(parent for parent, child in links if child == wnid)),
            children=tuple(sorted(child for parent, child in links if parent == wnid)),
        )
        for wnid in wnids
    ]
    return Taxonomy(source="ours", class_wnids=class_wnids, nodes=made)


def test_the_shipped_taxonomy_has_the_size_of_the_paper() -> None:
    assert len(TAXONOMY) == 1860
    assert len(TAXONOMY.class_wnids) == 1000
    assert TAXONOMY.roots == (ENTITY,)
    assert TAXONOMY.source == "WordNet 3.0"


def test_several_parents_are_normal() -> None:
    assert sum(len(TAXONOMY.paths(wnid)) > 1 for wnid in TAXONOMY.class_wnids) == 304
    assert sum(len(node.parents) > 1 for node in TAXONOMY.nodes.values()) == 75


def test_unfolded_as_a_tree_the_taxonomy_has_2391_rows() -> None:
    assert sum(len(TAXONOMY.paths(wnid)) for wnid in TAXONOMY.nodes) == 2391


def test_dogs_other_organisms_and_objects_have_the_sizes_of_the_paper() -> None:
    dogs, organisms = (set(TAXONOMY.classes_under(wnid)) for wnid in (DOG, ORGANISM))
    assert (len(dogs), len(organisms)) == (118, 410)
    assert len(organisms - dogs) == 292
    assert len(set(TAXONOMY.class_wnids) - organisms) == 590


def test_classes_are_indexed_in_the_order_of_their_wnids() -> None:
    assert list(TAXONOMY.class_wnids) == sorted(TAXONOMY.class_wnids)
    assert [TAXONOMY.index_of(wnid) for wnid in TAXONOMY.class_wnids] == list(range(1000))
    assert TAXONOMY[TAXONOMY.class_wnids[0]].name == "tench"


def test_only_leaves_are_classes() -> None:
    leaves = {wnid for wnid, node in TAXONOMY.nodes.items() if not node.children}
    assert leaves == set(TAXONOMY.class_wnids)
    assert TAXONOMY.is_class(CHIHUAHUA)
    assert not TAXONOMY.is_class(DOG)
    assert not TAXONOMY.is_class("n99999999")


def test_parents_and_children_agree() -> None:
    up = {(p, wnid) for wnid, node in TAXONOMY.nodes.items() for p in node.parents}
    down = {(wnid, c) for wnid, node in TAXONOMY.nodes.items() for c in node.children}
    assert up == down


def test_two_pairs_of_classes_share_their_first_name_and_a_third_but_for_case() -> None:
    names = [TAXONOMY[wnid].name for wnid in TAXONOMY.class_wnids]
    shared = {name for name, times in Counter(names).items() if times > 1}
    folded = {name for name, times in Counter(map(str.casefold, names)).items() if times > 1}
    assert shared == {"crane", "maillot"}
    assert folded == {"crane", "maillot", "cardigan"}


def test_display_names_are_unique_and_say_which() -> None:
    display_names = TAXONOMY.display_names
    assert len({name.casefold() for name in display_names.values()}) == 1000
    assert {wnid: name for wnid, name in display_names.items() if "(" in name} == {
        "n02012849": "crane (wading bird)",
        "n03126707": "crane (lifting device)",
        "n03710637": "maillot (tights)",
        "n03710721": "maillot (swimsuit)",
        "n02113186": "Cardigan (corgi)",
        "n02963159": "cardigan (sweater)",
    }


def test_names_that_no_ancestor_tells_apart_are_distinguished_by_wnid() -> None:
    twins = [
        TaxonomyNode(wnid=wnid, lemmas=("twin",), gloss="", parents=(), children=())
        for wnid in ("n00000001", "n00000002")
    ]
    taxonomy = Taxonomy(source="ours", class_wnids=[twin.wnid for twin in twins], nodes=twins)
    assert set(taxonomy.display_names.values()) == {"twin (n00000001)", "twin (n00000002)"}


@untimed
@given(wnid=nodes)
def test_paths_lead_from_the_root_to_the_node_by_every_way(wnid: str) -> None:
    paths = TAXONOMY.paths(wnid)
    assert set(paths) == set(slow_paths(wnid))
    assert len(paths) == len(set(paths))
    assert list(paths) == sorted(paths, key=lambda path: (len(path), path))


@untimed
@given(wnid=nodes)
def test_classes_under_a_node_are_all_that_lie_below_it(wnid: str) -> None:
    found = TAXONOMY.classes_under(wnid)
    assert set(found) == slow_classes_under(wnid)
    assert list(found) == sorted(found, key=TAXONOMY.index_of)


@untimed
@given(wnid=nodes, ancestor=nodes)
def test_a_node_is_under_whatever_is_on_its_paths(wnid: str, ancestor: str) -> None:
    above = {node for path in slow_paths(wnid) for node in path}
    assert TAXONOMY.is_under(wnid, ancestor) == (ancestor in above)
    assert set(TAXONOMY.heights(wnid)) == above


@untimed
@given(wnid=nodes)
def test_siblings_share_a_parent_and_know_each_other(wnid: str) -> None:
    siblings = TAXONOMY.siblings(wnid)
    expected = {
        other
        for other, node in TAXONOMY.nodes.items()
        if other != wnid and set(node.parents) & set(TAXONOMY[wnid].parents)
    }
    assert list(siblings) == sorted(expected)
    assert all(wnid in TAXONOMY.siblings(sibling) for sibling in siblings)


@untimed
@given(one=nodes, other=nodes)
def test_distance_is_symmetric_and_zero_only_at_home(one: str, other: str) -> None:
    distance = TAXONOMY.distance(one, other)
    assert distance == TAXONOMY.distance(other, one) == slow_distance(one, other)
    assert (distance == 0) == (one == other)


def test_distance_goes_by_the_shortest_of_several_ways() -> None:
    links = [("root", "a"), ("root", "b"), ("a", "x"), ("b", "c"), ("c", "x"), ("b", "y")]
    taxonomy = small(*links, class_wnids=("x", "y"))
    assert taxonomy.distance("x", "y") == 3
    assert taxonomy.paths("x") == (("root", "a", "x"), ("root", "b", "c", "x"))


def test_nodes_without_a_common_ancestor_have_no_distance() -> None:
    taxonomy = small(class_wnids=("x", "y"))
    with pytest.raises(RefusedError, match="x and y have no common ancestor"):
        taxonomy.distance("x", "y")
    assert taxonomy.nearest_classes("x", 5) == ()


@settings(deadline=None, max_examples=15)
@given(wnid=nodes)
def test_class_distances_are_the_distances_to_all_other_classes(wnid: str) -> None:
    expected = {c: TAXONOMY.distance(wnid, c) for c in TAXONOMY.class_wnids if c != wnid}
    assert TAXONOMY.class_distances(wnid) == expected


@untimed
@given(wnid=classes, count=st.integers(min_value=0, max_value=1200))
def test_the_nearest_classes_come_first_and_equals_in_class_order(wnid: str, count: int) -> None:
    nearest = TAXONOMY.nearest_classes(wnid, count)
    distances = TAXONOMY.class_distances(wnid)
    assert list(nearest) == sorted(distances, key=lambda c: (distances[c], c))[:count]
    assert wnid not in nearest


def test_nothing_of_a_taxonomy_can_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TAXONOMY.source = "mine"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        TAXONOMY[DOG].gloss = "mine"  # type: ignore[misc]
    for mapping in (TAXONOMY.nodes, TAXONOMY.heights(DOG), TAXONOMY.display_names):
        with pytest.raises(TypeError):
            mapping[DOG] = None  # type: ignore[index]


def test_changing_the_list_that_a_taxonomy_was_made_from_changes_nothing() -> None:
    class_wnids = [CHIHUAHUA]
    taxonomy = Taxonomy(source="ours", class_wnids=class_wnids, nodes=[TAXONOMY[CHIHUAHUA]])
    class_wnids.append(TOASTER)
    assert taxonomy.class_wnids == (CHIHUAHUA,)


def test_what_is_written_is_what_is_read() -> None:
    data = DEFAULT_FILE.read_bytes()
    again = parse(dump(TAXONOMY), file="again")
    assert dump(TAXONOMY) == data
    assert again.nodes == TAXONOMY.nodes
    assert again.version == TAXONOMY.version


def test_the_order_of_the_nodes_does_not_matter_to_the_file() -> None:
    backwards = Taxonomy(
        source=TAXONOMY.source,
        class_wnids=TAXONOMY.class_wnids,
        nodes=reversed(TAXONOMY.nodes.values()),
    )
    assert dump(backwards) == dump(TAXONOMY)


def test_another_content_is_another_version() -> None:
    one, other = (small(class_wnids=(wnid,)) for wnid in ("x", "y"))
    assert one.version != other.version


def test_loading_needs_no_nltk() -> None:
    program = (
        "import sys; from labeler.core.classes.taxonomy import load_default; "
        "print(len(load_default()), 'nltk' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["1860", "False"]


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_one_wrong_byte_in_the_contents_is_noticed(data: st.DataObject) -> None:
    sound = dump(small(("n1", "n2"), class_wnids=("n2",)))
    place = data.draw(st.integers(sound.index(b'"source"'), len(sound) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != sound[place]))
    damaged = sound[:place] + bytes([byte]) + sound[place + 1 :]
    with pytest.raises(InputError, match=r"^taxonomy\.json: "):
        parse(damaged, file="taxonomy.json")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", NOT_A_TAXONOMY),
        (b"[]", NOT_A_TAXONOMY),
        (b'{"nodes": []}', NOT_A_TAXONOMY),
        (b"\xff\xfe", NOT_A_TAXONOMY),
        (b'{"format": 2, "checksum": ""}', "its format is 2"),
        (b'{"format": 1, "checksum": ""}', CHANGED_OR_DAMAGED),
        (DEFAULT_FILE.read_bytes()[:-100], NOT_A_TAXONOMY),
        (DEFAULT_FILE.read_bytes().replace(b"toaster", b"roaster"), CHANGED_OR_DAMAGED),
    ],
)
def test_a_damaged_file_is_named_in_a_sentence(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    file = tmp_path / "taxonomy.json"
    file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        load(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert problem in str(raised.value)


def test_a_missing_file_is_named_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"none\.json' can't be read: No such file"):
        load(tmp_path / "none.json")
