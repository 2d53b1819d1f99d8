"""Browsing the taxonomy: a tree of all or of the found classes, and a selected row."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.classes.taxonomy_tree import TaxonomyTree, build_taxonomy_tree

# Enough for every first letter and many prefixes, in a few megabytes.
_KEPT_TREES = 200


@dataclass(frozen=True, slots=True)
class TaxonomyView:
    """What the taxonomy browser shows.

    `opened` are the rows to expand so that the selected one is visible. `places` are all rows of
    the selected node from the top, since a node has a row under each of its parents.
    """

    tree: TaxonomyTree
    filtered: bool
    selected: int | None = None
    opened: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def wnid(self) -> str | None:
        """The selected class or node."""
        return None if self.selected is None else self.tree.wnid(self.selected)

    @property
    def selected_class(self) -> str | None:
        """The selected class, or None if a node is selected."""
        if self.selected is None or not self.tree.is_class(self.selected):
            return None
        return self.wnid

    @property
    def place(self) -> str:
        """A text like “place 1 of 2”, or empty if there is only one."""
        if self.selected is None or len(self.places) < 2:
            return ""
        return f"place {self.places.index(self.selected) + 1} of {len(self.places)}"

    @property
    def summary(self) -> str:
        """A short text with the number of classes."""
        count = len(self.tree.classes)
        if count <= 1:
            return "1 class" if count else "No class found"
        return f"{count:,} classes"


class TaxonomyBrowser:
    """Holds the tree and the selected row; each method returns the new view."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._found: frozenset[str] | None = None
        self._shown: TaxonomyView | None = None
        self._pruned = lru_cache(_KEPT_TREES)(self._prune)

    @cached_property
    def _full_tree(self) -> TaxonomyTree:
        return build_taxonomy_tree(self._taxonomy)

    @property
    def view(self) -> TaxonomyView:
        if self._shown is None:
            self._shown = TaxonomyView(self._full_tree, filtered=False)
        return self._shown

    def reset(self) -> TaxonomyView:
        """Show the whole taxonomy, with branches expanded that contain most classes."""
        tree = self._full_tree
        most = len(tree.classes) * 2 / 3
        opened = (row for row in sorted(tree.branches) if tree.counts[row] > most)
        self._found = None
        self._shown = TaxonomyView(tree, filtered=False, opened=tuple(opened))
        return self._shown

    def prepare(self) -> None:
        """Build the tree in advance; may be called on any thread."""
        _ = self._full_tree

    def filter(self, wnids: Collection[str] | None, *, show: str | None = None) -> TaxonomyView:
        """Show only these classes and their ancestors, or with None the whole taxonomy.

        The selection is kept if possible, unless another class is to be shown.
        """
        wanted = show or self.view.wnid
        self._take(None if wnids is None else frozenset(wnids))
        return self.view if wanted is None else self._select_first(wanted)

    def show(self, wnid: str) -> TaxonomyView:
        """Select the first row of a class or node, and expand the branches above it.

        If it isn't among the found classes, the whole taxonomy is shown.
        """
        if not self.view.tree.rows_of(wnid):
            self._take(None)
        return self._select_first(wnid)

    def show_node(self, wnid: str) -> TaxonomyView:
        """Select a node in the whole taxonomy, since a filtered tree may fold it into another."""
        self._take(None)
        return self._select_first(wnid)

    def select(self, row: int) -> TaxonomyView:
        """Select the row that a person went to."""
        tree = self.view.tree
        itself = () if tree.is_class(row) else (row,)
        self._shown = replace(
            self.view,
            selected=row,
            opened=(*tree.ancestor_rows(row), *itself),
            places=tuple(sorted(tree.rows_of(tree.wnid(row)))),
        )
        return self._shown

    def next_place(self) -> TaxonomyView:
        """Select the next row of the selected node, starting over after the last."""
        if self.view.selected is None:
            return self.view
        places = self.view.places
        return self.select(places[(places.index(self.view.selected) + 1) % len(places)])

    def _take(self, found: frozenset[str] | None) -> None:
        if found != self._found:
            self._found = found
            tree = self._full_tree if found is None else self._pruned(found)
            self._shown = TaxonomyView(tree, filtered=found is not None)

    def _prune(self, found: frozenset[str]) -> TaxonomyTree:
        return self._full_tree.pruned(found)

    def _select_first(self, wnid: str) -> TaxonomyView:
        """Select its first row, unless another of its rows is already selected."""
        rows = self.view.tree.rows_of(wnid)
        if not rows:
            self._shown = TaxonomyView(self.view.tree, filtered=self.view.filtered)
            return self._shown
        return self.view if self.view.selected in rows else self.select(rows[0])
