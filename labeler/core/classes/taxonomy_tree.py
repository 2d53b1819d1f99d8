"""The taxonomy as a tree for browsing: a node with several parents appears under each."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from labeler.core.classes.taxonomy import Taxonomy

NO_PARENT = -1


class TaxonomyTreeRow(NamedTuple):
    """A row of the tree: its node's name, the names folded into it, its number of classes.

    `has_twin` means that the same node is also a sibling row, which only `folded` distinguishes.
    """

    wnid: str
    name: str
    folded: tuple[str, ...]
    classes: int
    is_class: bool
    has_twin: bool = False


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """Every path down the taxonomy as numbered steps; parents come before their children."""

    taxonomy: Taxonomy
    wnids: tuple[str, ...]
    parents: tuple[int, ...]
    places: Mapping[str, tuple[int, ...]]
    ways: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True, eq=False)
class TaxonomyTree:
    """Rows by number, parents before children; a chain of only children is one row.

    `nodes` are the nodes of a row, topmost first; the row represents the last of them.
    """

    nodes: tuple[tuple[str, ...], ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    top: tuple[int, ...]
    positions: tuple[int, ...]
    depths: tuple[int, ...]
    counts: tuple[int, ...]
    classes: frozenset[str]
    _row_of_step: Mapping[int, int]
    _unfolded: _Unfolded

    def __len__(self) -> int:
        return len(self.nodes)

    def row(self, number: int) -> TaxonomyTreeRow:
        """Return the display data of a row."""
        taxonomy, nodes = self._unfolded.taxonomy, self.nodes[number]
        wnid, is_class = nodes[-1], nodes[-1] in self.classes
        return TaxonomyTreeRow(
            wnid=wnid,
            name=taxonomy.display_names[wnid] if is_class else taxonomy[wnid].name,
            folded=tuple(taxonomy[above].name for above in nodes[:-1]),
            classes=self.counts[number],
            is_class=is_class,
            has_twin=len(nodes) > 1 and self._has_twin(number),
        )

    def wnid(self, number: int) -> str:
        """Return the node that the row represents."""
        return self.nodes[number][-1]

    def is_class(self, number: int) -> bool:
        return self.nodes[number][-1] in self.classes

    def rows_of(self, wnid: str) -> tuple[int, ...]:
        """Return the rows that contain the node, the one with the shortest path first."""
        places = self._unfolded.places.get(wnid, ())
        return tuple(self._row_of_step[step] for step in places if step in self._row_of_step)

    def _has_twin(self, number: int) -> bool:
        others = [row for row in self.rows_of(self.wnid(number)) if row != number]
        return any(self.parents[row] == self.parents[number] for row in others)

    def ancestor_rows(self, number: int) -> tuple[int, ...]:
        """Return the rows above a row, topmost first."""
        ancestors: list[int] = []
        while (number := self.parents[number]) != NO_PARENT:
            ancestors.append(number)
        return tuple(reversed(ancestors))

    @property
    def branches(self) -> frozenset[int]:
        """The rows that have children."""
        return frozenset(self.parents) - {NO_PARENT}

    def visible_rows(self, opened: AbstractSet[int]) -> Sequence[int]:
        """Return the visible rows from the top, when only the `opened` rows are expanded."""
        if opened >= self.branches:
            return range(len(self))
        pending, visible = list(reversed(self.top)), []
        while pending:
            row = pending.pop()
            visible.append(row)
            if row in opened:
                pending.extend(reversed(self.children[row]))
        return visible

    def pruned(self, wnids: Collection[str]) -> "TaxonomyTree":
        """Return the tree reduced to the paths to these classes, with new only children folded."""
        return _folded(self._unfolded, self.classes.intersection(wnids))


def build_taxonomy_tree(taxonomy: Taxonomy) -> TaxonomyTree:
    """Return the tree of all classes."""
    return _folded(_unfolded(taxonomy), frozenset(taxonomy.class_wnids))


def _unfolded(taxonomy: Taxonomy) -> _Unfolded:
    wnids: list[str] = []
    parents: list[int] = []
    pending = [(NO_PARENT, wnid) for wnid in reversed(taxonomy.roots)]
    while pending:
        parent, wnid = pending.pop()
        step = len(wnids)
        wnids.append(wnid)
        parents.append(parent)
        pending.extend((step, child) for child in reversed(taxonomy[wnid].children))
    paths_down = _paths_down(parents)
    places = _places(wnids, paths_down)
    return _Unfolded(
        taxonomy=taxonomy,
        wnids=tuple(wnids),
        parents=tuple(parents),
        places=places,
        ways={
            wnid: frozenset(chain.from_iterable(paths_down[step] for step in places[wnid]))
            for wnid in taxonomy.class_wnids
        },
    )


def _paths_down(parents: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the steps from the top to each step, inclusive."""
    paths: list[tuple[int, ...]] = []
    for step, parent in enumerate(parents):
        paths.append((step,) if parent == NO_PARENT else (*paths[parent], step))
    return paths


def _places(
    wnids: Sequence[str], paths_down: Sequence[tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    """Return the steps at which each node is reached, in the order of `Taxonomy.paths`."""
    places: dict[str, list[int]] = {}
    for step, wnid in enumerate(wnids):
        places.setdefault(wnid, []).append(step)
    for steps in places.values():
        steps.sort(key=lambda step: (len(paths_down[step]), [wnids[s] for s in paths_down[step]]))
    return {wnid: tuple(steps) for wnid, steps in places.items()}


def _folded(unfolded: _Unfolded, classes: frozenset[str]) -> TaxonomyTree:
    """Return the tree of all steps on a path to one of the classes."""
    # A class counts once per step, even if several paths lead through it.
    counts = Counter(chain.from_iterable(map(unfolded.ways.__getitem__, classes)))
    steps = sorted(counts)
    folded = _with_an_only_child(unfolded, steps, classes)
    rows, row_of_step = _Rows(), {NO_PARENT: NO_PARENT}
    for step in steps:
        above = unfolded.parents[step]
        row = row_of_step[above]
        if above not in folded:
            row = rows.add(parent=row, count=counts[step])
        rows.nodes[row].append(unfolded.wnids[step])
        row_of_step[step] = row
    return rows.tree(row_of_step, classes=classes, unfolded=unfolded)


def _with_an_only_child(
    unfolded: _Unfolded, steps: Iterable[int], classes: frozenset[str]
) -> frozenset[int]:
    """Return the steps that are folded into their only child; a class always has its own row."""
    children = Counter(map(unfolded.parents.__getitem__, steps))
    only = (step for step, count in children.items() if count == 1 and step != NO_PARENT)
    return frozenset(step for step in only if unfolded.wnids[step] not in classes)


class _Rows:
    """Collects the rows of a tree under construction."""

    def __init__(self) -> None:
        self.nodes: list[list[str]] = []
        self._parents: list[int] = []
        self._children: list[list[int]] = []
        self._top: list[int] = []
        self._positions: list[int] = []
        self._depths: list[int] = []
        self._counts: list[int] = []

    def add(self, *, parent: int, count: int) -> int:
        """Add an empty row below another and return its number."""
        row = len(self.nodes)
        siblings = self._top if parent == NO_PARENT else self._children[parent]
        self.nodes.append([])
        self._parents.append(parent)
        self._children.append([])
        self._positions.append(len(siblings))
        self._depths.append(0 if parent == NO_PARENT else self._depths[parent] + 1)
        self._counts.append(count)
        siblings.append(row)
        return row

    def tree(
        self, row_of_step: Mapping[int, int], *, classes: frozenset[str], unfolded: _Unfolded
    ) -> TaxonomyTree:
        return TaxonomyTree(
            nodes=tuple(map(tuple, self.nodes)),
            parents=tuple(self._parents),
            children=tuple(map(tuple, self._children)),
            top=tuple(self._top),
            positions=tuple(self._positions),
            depths=tuple(self._depths),
            counts=tuple(self._counts),
            classes=classes,
            _row_of_step=row_of_step,
            _unfolded=unfolded,
        )
