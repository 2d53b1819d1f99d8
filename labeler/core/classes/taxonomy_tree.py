"""The taxonomy as a tree for browsing: from the superclasses, each class in its canonical place."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from labeler.core.classes.branches import Branch, CanonicalBranches

NO_PARENT = -1


class TaxonomyTreeRow(NamedTuple):
    """A row of the tree: its label, the branches folded into it, its number of classes.

    `key` is a wnid or the key of a superclass; no other row of the tree has the same name.
    `sample` is its first class, for a picture.
    """

    key: str
    name: str
    folded: tuple[str, ...]
    classes: int
    is_class: bool
    is_top: bool = False
    sample: str = ""


@dataclass(frozen=True, eq=False)
class TaxonomyTree:
    """Rows by number, parents before children; a chain of only children is one row.

    `keys` are the branches of a row, topmost first; the row represents the last of them.
    """

    branches: CanonicalBranches
    shown: tuple[Branch, ...]
    keys: tuple[tuple[str, ...], ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    top: tuple[int, ...]
    positions: tuple[int, ...]
    depths: tuple[int, ...]
    found: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes of the tree."""
        return frozenset(wnid for row in self.top for wnid in self.found[row])

    def row(self, number: int) -> TaxonomyTreeRow:
        """Return the display data of a row."""
        labels, keys = self.branches.labels, self.keys[number]
        return TaxonomyTreeRow(
            key=keys[-1],
            name=labels[keys[-1]],
            folded=tuple(labels[key] for key in keys[:-1]),
            classes=len(self.found[number]),
            is_class=self.is_class(number),
            is_top=self.parents[number] == NO_PARENT,
            sample=self.found[number][0],
        )

    def key(self, number: int) -> str:
        """Return the wnid or superclass that the row represents."""
        return self.keys[number][-1]

    def is_class(self, number: int) -> bool:
        """Return whether the row is a class; one that wasn't found is a branch of those below."""
        return self.shown[number].is_class and self.key(number) in self.classes

    def row_of(self, key: str) -> int | None:
        """Return the row of a class, node or superclass; folded nodes are part of a row."""
        return self._row_of_key.get(key)

    def ancestor_rows(self, number: int) -> tuple[int, ...]:
        """Return the rows above a row, topmost first."""
        ancestors: list[int] = []
        while (number := self.parents[number]) != NO_PARENT:
            ancestors.append(number)
        return tuple(reversed(ancestors))

    @cached_property
    def expandable(self) -> frozenset[int]:
        """The rows that have children."""
        return frozenset(self.parents) - {NO_PARENT}

    def visible_rows(self, opened: AbstractSet[int]) -> Sequence[int]:
        """Return the visible rows from the top, when only the `opened` rows are expanded."""
        if opened >= self.expandable:
            return range(len(self))
        pending, visible = list(reversed(self.top)), []
        while pending:
            row = pending.pop()
            visible.append(row)
            if row in opened:
                pending.extend(reversed(self.children[row]))
        return visible

    def pruned(self, wnids: Collection[str]) -> "TaxonomyTree":
        """Return the tree reduced to these classes, with new only children folded."""
        return build_taxonomy_tree(self.branches, frozenset(wnids))

    @cached_property
    def _row_of_key(self) -> Mapping[str, int]:
        rows = {key: number for number, keys in enumerate(self.keys) for key in keys}
        folded = {
            wnid: number for number, branch in enumerate(self.shown) for wnid in branch.folded
        }
        return folded | rows


def build_taxonomy_tree(
    branches: CanonicalBranches, wnids: AbstractSet[str] | None = None
) -> TaxonomyTree:
    """Return the tree of all classes, or of these."""
    rows = _Rows(branches, wnids)
    for branch in branches.superclasses:
        rows.add(branch, parent=NO_PARENT)
    return rows.tree()


class _Rows:
    """Collects the rows of a tree under construction."""

    def __init__(self, branches: CanonicalBranches, wnids: AbstractSet[str] | None) -> None:
        self._branches, self._wnids = branches, wnids
        self._shown: list[Branch] = []
        self._keys: list[tuple[str, ...]] = []
        self._parents: list[int] = []
        self._children: list[list[int]] = []
        self._top: list[int] = []
        self._positions: list[int] = []
        self._depths: list[int] = []
        self._found: list[tuple[str, ...]] = []

    def add(self, branch: Branch, *, parent: int) -> None:
        """Add a branch and what is below it, unless none of its classes is wanted."""
        found = self._wanted(branch)
        if not found:
            return
        keys = [branch.key]
        # A superclass has its own row even if only one of its branches is left.
        while parent != NO_PARENT and (only := self._only_child(branch)):
            branch = only
            keys.append(branch.key)
        row = self._add_row(branch, tuple(keys), found, parent=parent)
        for child in branch.children:
            self.add(child, parent=row)

    def tree(self) -> TaxonomyTree:
        return TaxonomyTree(
            branches=self._branches,
            shown=tuple(self._shown),
            keys=tuple(self._keys),
            parents=tuple(self._parents),
            children=tuple(map(tuple, self._children)),
            top=tuple(self._top),
            positions=tuple(self._positions),
            depths=tuple(self._depths),
            found=tuple(self._found),
        )

    def _add_row(
        self, branch: Branch, keys: tuple[str, ...], found: tuple[str, ...], *, parent: int
    ) -> int:
        row = len(self._keys)
        siblings = self._top if parent == NO_PARENT else self._children[parent]
        self._shown.append(branch)
        self._keys.append(keys)
        self._parents.append(parent)
        self._children.append([])
        self._positions.append(len(siblings))
        self._depths.append(0 if parent == NO_PARENT else self._depths[parent] + 1)
        self._found.append(found)
        siblings.append(row)
        return row

    def _only_child(self, branch: Branch) -> Branch | None:
        """Return the child of a branch if only one is left; a class always has its own row."""
        left = [child for child in branch.children if self._wanted(child)]
        is_class = branch.is_class and branch.key in self._wanted(branch)
        return left[0] if len(left) == 1 and not is_class else None

    def _wanted(self, branch: Branch) -> tuple[str, ...]:
        if self._wnids is None:
            return branch.classes
        return tuple(filter(self._wnids.__contains__, branch.classes))


def other_places(branches: CanonicalBranches) -> Mapping[str, tuple[str, ...]]:
    """Return the further branches that each class belongs to in the taxonomy, where there are any.

    A branch counts if the class is below it in the taxonomy but in another place of the tree. Of
    branches above each other only the nearest counts. Superclasses don't count, and neither does
    a branch that has all classes of the class's superclass, since that says nothing about it.
    """
    nodes = {branch.key for branch in branches.walk() if not branch.is_class}
    paths = dict(_paths(branches))
    found: dict[str, tuple[str, ...]] = {}
    for top in branches.superclasses:
        others = {wnid: _others(branches, wnid, nodes - paths[wnid]) for wnid in top.classes}
        shared = frozenset.intersection(*map(frozenset, others.values()))
        for wnid, keys in others.items():
            telling = [key for key in keys if key not in shared]
            found[wnid] = tuple(k for k in telling if not _has_nearer(k, telling, paths))
    return {wnid: keys for wnid, keys in found.items() if keys}


def _paths(branches: CanonicalBranches) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each branch with the keys from the top to it, inclusive."""
    pending = [(branch, frozenset[str]()) for branch in branches.superclasses]
    while pending:
        branch, above = pending.pop()
        path = above | {branch.key}
        yield branch.key, path
        pending.extend((child, path) for child in branch.children)


def _others(branches: CanonicalBranches, wnid: str, nodes: AbstractSet[str]) -> tuple[str, ...]:
    """Return those of the nodes that a class is below, the nearest first."""
    heights = branches.taxonomy.heights(wnid)
    return tuple(sorted(nodes & heights.keys(), key=lambda node: (heights[node], node)))


def _has_nearer(key: str, keys: Sequence[str], paths: Mapping[str, frozenset[str]]) -> bool:
    return any(key in paths[other] for other in keys if other != key)
