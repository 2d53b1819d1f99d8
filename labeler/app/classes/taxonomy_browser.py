"""Browsing the taxonomy: a tree of all or of the found classes, and a selected row."""

from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from labeler.app.classes.class_view import PATH_SEPARATOR, ClassLink
from labeler.core.classes.branch_names import branch_name
from labeler.core.classes.branches import CanonicalBranches
from labeler.core.classes.taxonomy_tree import TaxonomyTree, build_taxonomy_tree, other_places
from labeler.core.text import count_noun

# Enough for every first letter and many prefixes, in a few megabytes.
_KEPT_TREES = 200
ALSO_HERE, SINGLE_CLASSES = "also here", "single classes"


@dataclass(frozen=True, slots=True)
class MosaicGroup:
    """A part of a branch, with its classes."""

    name: str
    wnids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BranchMosaicView:
    """A branch with all its classes, grouped by its children; `path` is what is above it."""

    key: str
    name: str
    path: str
    groups: tuple[MosaicGroup, ...]

    @property
    def wnids(self) -> tuple[str, ...]:
        return tuple(wnid for group in self.groups for wnid in group.wnids)

    @property
    def count(self) -> str:
        """The number of classes as in the tree, and of those whose place is elsewhere."""
        also = sum(len(group.wnids) for group in self.groups if group.name == ALSO_HERE)
        counted = count_noun(len(self.wnids) - also, "class", "classes")
        return f"{counted}, {also:,} {ALSO_HERE}" if also else counted


@dataclass(frozen=True, slots=True)
class TaxonomyView:
    """What the taxonomy browser shows.

    `opened` are the rows to expand so that the selected one is visible. `also_under` links to the
    other branches that the selected class or all classes of the selected branch belong to.
    """

    tree: TaxonomyTree
    filtered: bool
    selected: int | None = None
    opened: tuple[int, ...] = ()
    also_under: tuple[ClassLink, ...] = ()
    branch: BranchMosaicView | None = None

    @property
    def key(self) -> str | None:
        """The selected class, node or superclass."""
        return None if self.selected is None else self.tree.key(self.selected)

    @property
    def selected_class(self) -> str | None:
        """The selected class, or None if a branch is selected."""
        if self.selected is None or not self.tree.is_class(self.selected):
            return None
        return self.key

    @property
    def summary(self) -> str:
        """A short text with the number of classes."""
        count = len(self.tree.classes)
        if count <= 1:
            return "1 class" if count else "No class found"
        return f"{count:,} classes"


class TaxonomyBrowser:
    """Holds the tree and the selected row; each method returns the new view."""

    def __init__(self, branches: Callable[[], CanonicalBranches]) -> None:
        self._make_branches = branches
        self._found: frozenset[str] | None = None
        self._shown: TaxonomyView | None = None
        self._pruned = lru_cache(_KEPT_TREES)(self._prune)

    @cached_property
    def _full_tree(self) -> TaxonomyTree:
        return build_taxonomy_tree(self._make_branches())

    @cached_property
    def _other_places(self) -> Mapping[str, tuple[str, ...]]:
        return other_places(self._full_tree.branches)

    @property
    def view(self) -> TaxonomyView:
        if self._shown is None:
            self._shown = TaxonomyView(self._full_tree, filtered=False)
        return self._shown

    def reset(self) -> TaxonomyView:
        """Show the superclasses, with nothing selected."""
        self._found = None
        self._shown = TaxonomyView(self._full_tree, filtered=False)
        return self._shown

    def prepare(self) -> None:
        """Build the tree in advance; may be called on any thread."""
        _ = self._full_tree, self._other_places

    def filter(self, wnids: Collection[str] | None, *, show: str | None = None) -> TaxonomyView:
        """Show only these classes and their branches, or with None the whole taxonomy.

        The selection is kept if possible, unless another class is to be shown, which is added to
        the found ones if it isn't among them.
        """
        wanted = show or self.view.key
        shown = () if show is None else (show,)
        self._take(None if wnids is None else frozenset((*wnids, *shown)))
        return self.view if wanted is None else self._select_key(wanted)

    def show(self, wnid: str) -> TaxonomyView:
        """Select a class or node, and expand the branches above it.

        If it isn't among the found classes, the whole taxonomy is shown.
        """
        if self.view.tree.row_of(wnid) is None:
            self._take(None)
        return self._select_key(wnid)

    def show_node(self, wnid: str) -> TaxonomyView:
        """Select a node in the whole taxonomy, since a filtered tree may fold it into another."""
        self._take(None)
        return self._select_key(wnid)

    def select(self, row: int) -> TaxonomyView:
        """Select the row that a person went to."""
        tree = self.view.tree
        is_class = tree.is_class(row)
        self._shown = replace(
            self.view,
            selected=row,
            opened=(*tree.ancestor_rows(row), *(() if is_class else (row,))),
            also_under=self._also_under(tree.found[row]),
            branch=None if is_class else self._mosaic(tree, row),
        )
        return self._shown

    def _take(self, found: frozenset[str] | None) -> None:
        if found != self._found:
            self._found = found
            tree = self._full_tree if found is None else self._pruned(found)
            self._shown = TaxonomyView(tree, filtered=found is not None)

    def _prune(self, found: frozenset[str]) -> TaxonomyTree:
        return self._full_tree.pruned(found)

    def _select_key(self, key: str) -> TaxonomyView:
        row = self._row_with_all(key)
        if row is None:
            tree, branch = self.view.tree, self._mosaic_without_row(key)
            self._shown = TaxonomyView(tree, filtered=self.view.filtered, branch=branch)
            return self._shown
        return self.view if self.view.selected == row else self.select(row)

    def _row_with_all(self, key: str) -> int | None:
        """Return the row of a class or branch, or one with the same classes as a node."""
        tree, below = self.view.tree, self._classes_below(key)
        row = tree.row_of(key)
        if row is not None and (tree.key(row) == key or not below):
            return row
        rows = tree.top if row is None else (row, *tree.top)
        return next((each for each in rows if below and below == set(tree.found[each])), None)

    def _classes_below(self, key: str) -> AbstractSet[str]:
        """Return the classes of the tree below a node of the taxonomy, wherever their places."""
        taxonomy = self._full_tree.branches.taxonomy
        below = taxonomy.classes_under(key) if key in taxonomy else ()
        return self.view.tree.classes.intersection(below) - {key}

    def _mosaic_without_row(self, key: str) -> BranchMosaicView | None:
        """Return the classes of a node that several superclasses share, which has no row."""
        tree, below = self.view.tree, self._classes_below(key)
        if not below:
            return None
        shared = (
            MosaicGroup(tree.row(top).name, tuple(w for w in tree.found[top] if w in below))
            for top in tree.top
        )
        return BranchMosaicView(
            key=key,
            name=branch_name(tree.branches.taxonomy, key),
            path="",
            groups=tuple(group for group in shared if group.wnids),
        )

    def _also_under(self, wnids: Collection[str]) -> tuple[ClassLink, ...]:
        """Return the other places that the classes share."""
        places = [self._other_places.get(wnid, ()) for wnid in wnids]
        labels = self._full_tree.branches.labels
        shared = (key for key in places[0] if all(key in other for other in places))
        return tuple(ClassLink(key, labels[key]) for key in shared)

    def _mosaic(self, tree: TaxonomyTree, row: int) -> BranchMosaicView:
        shown = tree.row(row)
        above = (tree.row(number).name for number in tree.ancestor_rows(row))
        return BranchMosaicView(
            key=shown.key,
            name=shown.name,
            path=PATH_SEPARATOR.join((*above, *shown.folded)),
            groups=tuple(self._groups(tree, row)),
        )

    def _groups(self, tree: TaxonomyTree, row: int) -> list[MosaicGroup]:
        children = [tree.row(child) for child in tree.children[row]]
        below = [child for child in tree.children[row] if not tree.is_class(child)]
        groups = [MosaicGroup(tree.row(child).name, tree.found[child]) for child in below]
        single = tuple(child.key for child in children if child.is_class)
        if single:
            groups.append(MosaicGroup(SINGLE_CLASSES if groups else "", single))
        key, others = tree.key(row), self._other_places
        also = tuple(w for w in others if key in others[w] and w in tree.classes)
        return [*groups, MosaicGroup(ALSO_HERE, also)] if also else groups
