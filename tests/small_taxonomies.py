"""Taxonomies for property tests and large ones for benchmarks."""

from hypothesis import strategies as st

from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode


@st.composite
def taxonomies(draw: st.DrawFn, *, max_size: int = 14) -> Taxonomy:
    """Small graphs in which every node has parents among those before it."""
    size = draw(st.integers(1, max_size))
    wnids = [f"n{number:02}" for number in range(size)]
    parents = [
        draw(st.sets(st.sampled_from(wnids[:number]), max_size=3)) if number else set()
        for number in range(size)
    ]
    children = {w: [c for c, p in zip(wnids, parents, strict=True) if w in p] for w in wnids}
    leaves = [wnid for wnid in wnids if not children[wnid]]
    inner = [wnid for wnid in wnids if children[wnid]]
    above = draw(st.sets(st.sampled_from(inner))) if inner else set()
    # Few names, so that several nodes share one.
    names = [draw(st.sampled_from(("one", "two", f"name of {wnid}"))) for wnid in wnids]
    nodes = [
        TaxonomyNode(wnid, (name,), "", tuple(sorted(p)), tuple(children[wnid]))
        for wnid, name, p in zip(wnids, names, parents, strict=True)
    ]
    return Taxonomy(source="test", class_wnids=sorted({*leaves, *above}), nodes=nodes)


def large_taxonomy(classes: int) -> Taxonomy:
    """A taxonomy of so many classes, with nine children to a node."""
    size = classes * 9 // 8 + 2
    wnids = [f"n{number:08}" for number in range(size)]
    parent_of = [(number - 1) // 9 for number in range(size)]
    children: list[list[str]] = [[] for _ in wnids]
    for number in range(1, size):
        children[parent_of[number]].append(wnids[number])
    nodes = [
        TaxonomyNode(
            wnid,
            (f"thing {number}",),
            "",
            (wnids[parent_of[number]],) if number else (),
            tuple(children[number]),
        )
        for number, wnid in enumerate(wnids)
    ]
    return Taxonomy(source="test", class_wnids=wnids[-classes:], nodes=nodes)
