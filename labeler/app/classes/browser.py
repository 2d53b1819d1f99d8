"""Finding a class: a query gives a list of classes, and the selected one its details."""

from collections.abc import Collection, Iterable, Sequence
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
from labeler.app.classes.result_rows import (
    BranchListRow,
    ResultRow,
    ResultRowBuilder,
    ResultRows,
)
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy

HISTORY_LIMIT = 200
# Enough for the prefixes of a hundred names, since people repeat their searches.
_KEPT_SEARCHES = 400


@dataclass(frozen=True, slots=True)
class ClassBrowserView:
    """What the class browser shows.

    `rows` are all classes if nothing is typed, the results if something is, or the classes of
    `branch` if a branch is open. The selected row has details if it is a class.
    """

    query: str
    rows: Sequence[ResultRow]
    selected: int | None
    details: ClassDetails | None
    branch: BranchListRow | None = None

    @property
    def branches(self) -> int:
        """How many of the rows are branches."""
        return self.rows.branch_count if isinstance(self.rows, ResultRows) else 0

    @property
    def classes(self) -> int:
        """How many of the rows are classes."""
        return len(self.rows) - self.branches

    def class_wnids(self) -> Iterable[str]:
        """Return the classes among the rows, in their order."""
        if isinstance(self.rows, ResultRows):
            return self.rows.class_wnids()
        return (row.wnid for row in self.rows)

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
        evidence: LookAlikeEvidence | None = None,
        rows: ClassRows | None = None,
        shows_reasons: bool = True,
    ) -> None:
        """`rows` can be shared with others that list the same taxonomy."""
        self._taxonomy = taxonomy
        self._shows_reasons = shows_reasons
        self._views = ClassViewBuilder(taxonomy, evidence=evidence, rows=rows)
        self._builder = ResultRowBuilder(taxonomy, self._views)
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

    def find(self, typed: str) -> tuple[str, ...]:
        """Return the closely matching classes, best first, without changing what is listed."""
        return tuple(self._found(typed).close_classes())

    def row(self, wnid: str) -> ClassListRow:
        """The class as a list shows it."""
        return self._views.row(wnid)

    def look_alikes(self, wnid: str) -> tuple[ClassLink, ...]:
        """Return the look-alikes of a class, the most similar first."""
        found = self._views.look_alikes(wnid)
        return found if self._shows_reasons else tuple(replace(f, reason="") for f in found)

    def use_evidence(self, evidence: LookAlikeEvidence) -> None:
        """Set what is known of similar classes, once it has been read."""
        rows = self._views.rows
        self._views = ClassViewBuilder(self._taxonomy, evidence=evidence, rows=rows)
        self._builder = ResultRowBuilder(self._taxonomy, self._views)

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
        self._view = replace(self._view, query=typed, rows=self._rows(typed), branch=None)
        if typed.strip():
            return self.select(self._first_choice())
        return self._show(before) if before else self._view

    def select(self, row: int) -> ClassBrowserView:
        """Select the class of a row; rows beyond either end mean the last one there."""
        rows = self._view.rows
        if not rows:
            self._view = replace(self._view, selected=None, details=None)
            return self._view
        row = max(0, min(row, len(rows) - 1))
        found = rows[row]
        is_class = isinstance(found, ClassListRow)
        details = self._views.details(found.wnid) if is_class else None
        self._view = replace(self._view, selected=row, details=details)
        return self._view

    def move(self, steps: int) -> ClassBrowserView:
        """Move the selection down, or up if negative; without one, select the first class."""
        selected = self._view.selected
        return self.select(self._first_choice() if selected is None else selected + steps)

    def open_branch(self) -> ClassBrowserView | None:
        """List the classes of the selected branch; None if no branch is selected."""
        if self._view.selected is None:
            return None
        row = self._view.rows[self._view.selected]
        if not isinstance(row, BranchListRow):
            return None
        wnids = self._taxonomy.classes_under(row.wnid)
        rows = tuple(self._views.row(wnid) for wnid in wnids)
        self._view = replace(self._view, rows=rows, branch=row)
        return self.select(0)

    def close_branch(self) -> ClassBrowserView:
        """Return to the results, and select the branch among them."""
        branch = self._view.branch
        self.search(self._view.query)
        rows = self._view.rows
        if branch is None or not isinstance(rows, ResultRows):
            return self._view
        row = rows.row_of(branch.wnid, branch=True)
        return self._view if row is None else self.select(row)

    def _first_choice(self) -> int:
        """Return the first class, so that one key chooses it; a branch above it stays in sight."""
        rows = self._view.rows
        first = rows.first(branch=False) if isinstance(rows, ResultRows) else 0
        return first or 0

    def sibling(self, steps: int) -> ClassBrowserView:
        """Select the next sibling of the selected class, or a previous one if negative.

        The query stays; a sibling that it doesn't find is shown without a selected result.
        """
        here = self._view.wnid
        if here is None:
            return self._view
        siblings = filter(self._taxonomy.is_class, self._taxonomy.siblings(here))
        family = sorted((here, *siblings), key=self._taxonomy.index_of)
        following = family[(family.index(here) + steps) % len(family)]
        if following == here:
            return self._view
        self._remember()
        return self._show_keeping_query(following)

    def go_to(self, wnid: str) -> ClassBrowserView:
        """Follow a link to a class, in the current list if possible, else in the list of all."""
        self._remember()
        return self._show(wnid)

    def back(self) -> ClassBrowserView:
        """Go back to before the last link."""
        if not self._history:
            return self._view
        place = self._history.pop()
        rows = self._rows(place.query)
        self._view = replace(self._view, query=place.query, rows=rows, branch=None)
        return self._show_keeping_query(place.wnid)

    def neighbours(self, reach: int) -> tuple[str, ...]:
        """Return the classes around the selected row, the closest first."""
        if self._view.selected is None:
            return ()
        steps = [step for distance in range(1, reach + 1) for step in (distance, -distance)]
        rows, selected = self._view.rows, self._view.selected
        around = [rows[selected + s] for s in steps if 0 <= selected + s < len(rows)]
        return tuple(row.wnid for row in around if isinstance(row, ClassListRow))

    def _rows(self, typed: str) -> Sequence[ResultRow]:
        if not typed.strip():
            return self._every_class
        return self._found(typed)

    def _find(self, typed: str) -> ResultRows:
        return ResultRows(self._search.find(typed), self._builder.row)

    def _show(self, wnid: str) -> ClassBrowserView:
        row = _row_of(wnid, self._view.rows)
        if row is None:
            self._view = replace(self._view, query="", rows=self._every_class, branch=None)
            row = _row_of(wnid, self._every_class)
        return self._view if row is None else self.select(row)

    def _show_keeping_query(self, wnid: str) -> ClassBrowserView:
        if _row_of(wnid, self._view.rows) is not None:
            return self._show(wnid)
        self._view = replace(self._view, selected=None, details=self._views.details(wnid))
        return self._view

    def _remember(self) -> None:
        if self._view.wnid is not None:
            self._history.append(_Place(query=self._view.query, wnid=self._view.wnid))
            del self._history[:-HISTORY_LIMIT]


def _row_of(wnid: str, rows: Sequence[ResultRow]) -> int | None:
    if isinstance(rows, ResultRows):
        return rows.row_of(wnid)
    return next((number for number, row in enumerate(rows) if row.wnid == wnid), None)
