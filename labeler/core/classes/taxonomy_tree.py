"""The taxonomy unfolded as a tree for browsing: a node with several parents is under each."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from labeler.core.classes.taxonomy import Taxonomy

NO_PARENT = -1


class TaxonomyTreeRow(NamedTuple):
    """What a row says: the name of its node, those folded into it, the classes at or below it.

    With a twin, the same node is next to it and only the first of the folded tells them apart.
    """

    wnid: str
    name: str
    folded: tuple[str, ...]
    classes: int
    is_class: bool
    has_twin: bool = False


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """Every way down the taxonomy as numbered steps, a parent's number below its children's."""

    taxonomy: Taxonomy
    wnids: tuple[str, ...]
    parents: tuple[int, ...]
    places: Mapping[str, tuple[int, ...]]
    ways: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True, eq=False)
class TaxonomyTree:
    """Rows by number, a parent before its children; a chain of only children is one row.

    `nodes` are a row's nodes, the topmost first: the row represents the last of them.
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
        """A row in words."""
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
        """The node that the row represents."""
        return self.nodes[number][-1]

    def is_class(self, number: int) -> bool:
        return self.nodes[number][-1] in self.classes

    def rows_of(self, wnid: str) -> tuple[int, ...]:
        """The rows that hold the node, that with the shortest way to it first."""
        places = self._unfolded.places.get(wnid, ())
        return tuple(self._row_of_step[step] for step in places if step in self._row_of_step)

    def _has_twin(self, number: int) -> bool:
        beside = [row for row in self.rows_of(self.wnid(number)) if row != number]
        return any(self.parents[row] == self.parents[number] for row in beside)

    def ancestor_rows(self, number: int) -> tuple[int, ...]:
        """The rows above a row, the topmost first."""
        way: list[int] = []
        while (number := self.parents[number]) != NO_PARENT:
            way.append(number)
        return tuple(reversed(way))

    @property
    def branches(self) -> frozenset[int]:
        """The rows that have others below them."""
        return frozenset(self.parents) - {NO_PARENT}

    def visible_rows(self, opened: AbstractSet[int]) -> Sequence[int]:
        """The rows that are seen when these are open and all others closed, from the top."""
        if opened >= self.branches:
            return range(len(self))
        waiting, seen = list(reversed(self.top)), []
        while waiting:
            row = waiting.pop()
            seen.append(row)
            if row in opened:
                waiting.extend(reversed(self.children[row]))
        return seen

    def pruned(self, wnids: Collection[str]) -> "TaxonomyTree":
        """The same tree with the ways to these classes only, its new only children folded."""
        return _folded(self._unfolded, self.classes.intersection(wnids))


def build_taxonomy_tree(taxonomy: Taxonomy) -> TaxonomyTree:
    """The tree of all classes."""
    return _folded(_unfolded(taxonomy), frozenset(taxonomy.class_wnids))


def _unfolded(taxonomy: Taxonomy) -> _Unfolded:
    wnids: list[str] = []
    parents: list[int] = []
    waiting = [(NO_PARENT, wnid) for wnid in reversed(taxonomy.roots)]
    while waiting:
        parent, wnid = waiting.pop()
        step = len(wnids)
        wnids.append(wnid)
        parents.append(parent)
        waiting.extend((step, child) for child in reversed(taxonomy[wnid].children))
    ways_down = _ways_down(parents)
    places = _places(wnids, ways_down)
    return _Unfolded(
        taxonomy=taxonomy,
        wnids=tuple(wnids),
        parents=tuple(parents),
        places=places,
        ways={
            wnid: frozenset(chain.from_iterable(ways_down[step] for step in places[wnid]))
            for wnid in taxonomy.class_wnids
        },
    )


def _ways_down(parents: Sequence[int]) -> list[tuple[int, ...]]:
    """The steps from the top to each step, itself included."""
    ways: list[tuple[int, ...]] = []
    for step, parent in enumerate(parents):
        ways.append((step,) if parent == NO_PARENT else (*ways[parent], step))
    return ways


def _places(
    wnids: Sequence[str], ways_down: Sequence[tuple[int, ...]]
) -> dict[str, tuple[int, ...]]:
    """The steps at which each node is reached, in the order of `Taxonomy.paths`."""
    places: dict[str, list[int]] = {}
    for step, wnid in enumerate(wnids):
        places.setdefault(wnid, []).append(step)
    for steps in places.values():
        steps.sort(key=lambda step: (len(ways_down[step]), [wnids[s] for s in ways_down[step]]))
    return {wnid: tuple(steps) for wnid, steps in places.items()}


def _folded(unfolded: _Unfolded, classes: frozenset[str]) -> TaxonomyTree:
    """The tree of all steps on a way to one of the classes."""
    # A class counts once for each step, however many ways lead through it.
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
    """The steps that are folded into the one below them; a class always has its own row."""
    children = Counter(map(unfolded.parents.__getitem__, steps))
    only = (step for step, count in children.items() if count == 1 and step != NO_PARENT)
    return frozenset(step for step in only if unfolded.wnids[step] not in classes)


class _Rows:
    """The rows of a tree in the making."""

    def __init__(self) -> None:
        self.nodes: list[list[str]] = []
        self._parents: list[int] = []
        self._children: list[list[int]] = []
        self._top: list[int] = []
        self._positions: list[int] = []
        self._depths: list[int] = []
        self._counts: list[int] = []

    def add(self, *, parent: int, count: int) -> int:
        """Add a row without nodes below another, and tell its number."""
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
