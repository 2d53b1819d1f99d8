"""Finding a class: a query gives a list of classes, and the selected one its details."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from string import ascii_lowercase

from labeler.app.classes.class_view import (
    ClassDetails,
    ClassLink,
    ClassListRow,
    ClassRows,
    ClassViewBuilder,
)
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy

RESULT_LIMIT = 50
HISTORY_LIMIT = 200
# Enough for the prefixes of a few hundred names, since people repeat their searches.
_KEPT_SEARCHES = 1_000


@dataclass(frozen=True, slots=True)
class ClassBrowserView:
    """What the class browser shows."""

    query: str
    rows: tuple[ClassListRow, ...]
    selected: int | None
    details: ClassDetails | None

    @property
    def wnid(self) -> str | None:
        return self.details.wnid if self.details else None


@dataclass(frozen=True, slots=True)
class _Place:
    """An entry of the history: the query and the selected class."""

    query: str
    wnid: str


class ClassBrowser:
    """Holds the query and the selected class; each method returns the view that follows."""

    def __init__(
        self,
        *,
        taxonomy: Taxonomy,
        guide_pairs: frozenset[tuple[str, str]] = frozenset(),
        rows: ClassRows | None = None,
    ) -> None:
        """`rows` can be shared with others that list the same taxonomy."""
        self._taxonomy = taxonomy
        self._views = ClassViewBuilder(taxonomy, guide_pairs=guide_pairs, rows=rows)
        self._history: list[_Place] = []
        self._view = ClassBrowserView(query="", rows=(), selected=None, details=None)
        self._found = lru_cache(_KEPT_SEARCHES)(self._find)

    @cached_property
    def _search(self) -> ClassSearch:

        return ClassSearch(self._taxonomy)

    @property
    def _every_class(self) -> tuple[ClassListRow, ...]:
        return self._views.rows.all

    @property
    def view(self) -> ClassBrowserView:
        return self._view

    def row(self, wnid: str) -> ClassListRow:
        """The class as a list shows it."""
        return self._views.row(wnid)

    def look_alikes(self, wnid: str) -> tuple[ClassLink, ...]:
        """Return the look-alikes of a class, the most similar first."""
        return self._views.look_alikes(wnid)

    def learn_pairs(self, guide_pairs: frozenset[tuple[str, str]]) -> None:
        """Set which classes the guide tells apart, once it has been read."""
        rows = self._views.rows
        self._views = ClassViewBuilder(self._taxonomy, guide_pairs=guide_pairs, rows=rows)

    def prepare(self) -> None:
        """Build the list and the index, and search for each first letter in advance.

        May be called on any thread.
        """
        _ = self._every_class
        for letter in ascii_lowercase:
            self._found(letter)

    def start(self, illustrated: Collection[str]) -> ClassBrowserView:
        """List all classes, and select the first one with reference images."""
        self.search("")
        rows = enumerate(self._view.rows)
        return self.select(next((n for n, row in rows if row.wnid in illustrated), 0))

    def reset(self, typed: str = "") -> ClassBrowserView:
        """Start over, with no class selected."""
        self._history.clear()
        self._view = ClassBrowserView(query="", rows=self._every_class, selected=None, details=None)
        return self.search(typed) if typed.strip() else self._view

    def search(self, typed: str) -> ClassBrowserView:
        """List the matching classes, best first.

        An empty query lists all classes in the order of the taxonomy and keeps the selection.
        """
        before = self._view.wnid
        self._view = replace(self._view, query=typed, rows=self._rows(typed))
        if typed.strip():
            return self.select(0)
        return self._show(before) if before else self._view

    def select(self, row: int) -> ClassBrowserView:
        """Select the class of a row; rows beyond either end mean the last one there."""
        rows = self._view.rows
        if not rows:
            self._view = replace(self._view, selected=None, details=None)
            return self._view
        row = max(0, min(row, len(rows) - 1))
        details = self._views.details(rows[row].wnid)
        self._view = replace(self._view, selected=row, details=details)
        return self._view

    def move(self, steps: int) -> ClassBrowserView:
        """Move the selection down, or up if negative; without one, select the first class."""
        selected = self._view.selected
        return self.select(0 if selected is None else selected + steps)

    def sibling(self, steps: int) -> ClassBrowserView:
        """Select the next sibling of the selected class, or a previous one if negative."""
        here = self._view.wnid
        if here is None:
            return self._view
        siblings = filter(self._taxonomy.is_class, self._taxonomy.siblings(here))
        family = sorted((here, *siblings), key=self._taxonomy.index_of)
        following = family[(family.index(here) + steps) % len(family)]
        return self._view if following == here else self.go_to(following)

    def go_to(self, wnid: str) -> ClassBrowserView:
        """Follow a link to a class, in the current list if possible, else in the list of all."""
        self._remember()
        return self._show(wnid)

    def back(self) -> ClassBrowserView:
        """Go back to before the last link."""
        if not self._history:
            return self._view
        place = self._history.pop()
        self._view = replace(self._view, query=place.query, rows=self._rows(place.query))
        return self._show(place.wnid)

    def neighbours(self, reach: int) -> tuple[str, ...]:
        """Return the classes around the selected row, the closest first."""
        if self._view.selected is None:
            return ()
        steps = [step for distance in range(1, reach + 1) for step in (distance, -distance)]
        rows, selected = self._view.rows, self._view.selected
        return tuple(rows[selected + s].wnid for s in steps if 0 <= selected + s < len(rows))

    def _rows(self, typed: str) -> tuple[ClassListRow, ...]:
        if not typed.strip():
            return self._every_class
        return self._found(typed)

    def _find(self, typed: str) -> tuple[ClassListRow, ...]:
        return tuple(self._views.hit(h) for h in self._search.search(typed, limit=RESULT_LIMIT))

    def _show(self, wnid: str) -> ClassBrowserView:
        row = _row_of(wnid, self._view.rows)
        if row is None:
            self._view = replace(self._view, query="", rows=self._every_class)
            row = _row_of(wnid, self._every_class)
        return self._view if row is None else self.select(row)

    def _remember(self) -> None:
        if self._view.wnid is not None:
            self._history.append(_Place(query=self._view.query, wnid=self._view.wnid))
            del self._history[:-HISTORY_LIMIT]


def _row_of(wnid: str, rows: Sequence[ClassListRow]) -> int | None:
    return next((number for number, row in enumerate(rows) if row.wnid == wnid), None)
