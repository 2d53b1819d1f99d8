"""The rows of a search: classes and branches, built when they are looked at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from labeler.app.classes.class_view import ClassListRow, ClassViewBuilder
from labeler.core.classes.branch_names import branch_name
from labeler.core.classes.search.class_search import SearchResults
from labeler.core.classes.search.hits import MatchedField, SearchHit, TextSpan
from labeler.core.classes.taxonomy import Taxonomy

BRANCH_PICTURES = 3
# Pictures of others stand in for those of classes that have none here.
_BRANCH_SAMPLES = 8


@dataclass(frozen=True, slots=True)
class BranchListRow:
    """A branch of the taxonomy in a list of results; `samples` are classes to illustrate it."""

    wnid: str
    name: str
    classes: int
    note: str
    samples: tuple[str, ...]
    name_spans: tuple[TextSpan, ...] = ()
    note_spans: tuple[TextSpan, ...] = ()


ResultRow = ClassListRow | BranchListRow


class ResultRows(Sequence[ResultRow]):
    """The rows of a query; a row is built on first access, since most are never in sight."""

    def __init__(self, results: SearchResults, build: Callable[[SearchHit], ResultRow]) -> None:
        self._results = results
        self._row = lru_cache(maxsize=None)(lambda number: build(results[number]))

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, number: int) -> ResultRow: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[ResultRow]: ...
    def __getitem__(self, number: int | slice) -> ResultRow | Sequence[ResultRow]:
        if isinstance(number, slice):
            return tuple(self._row(each) for each in range(*number.indices(len(self))))
        return self._row(number if number >= 0 else number + len(self))

    @property
    def branch_count(self) -> int:
        return self._results.branch_count

    def class_wnids(self) -> Iterator[str]:
        """Yield the classes found, without building their rows."""
        return (wnid for wnid, is_branch in self._results.entries() if not is_branch)

    def close_classes(self) -> Iterator[str]:
        """Yield the classes that match closely, or all if none does."""
        return self._results.close_classes()

    def first(self, *, branch: bool) -> int | None:
        """Return the first row that is a branch, or the first that is a class."""
        entries = enumerate(self._results.entries())
        return next((number for number, (_, found) in entries if found is branch), None)

    def row_of(self, wnid: str, *, branch: bool = False) -> int | None:
        """Return the row of a class, or of a branch."""
        entries = enumerate(self._results.entries())
        return next((number for number, entry in entries if entry == (wnid, branch)), None)


class ResultRowBuilder:
    """Builds the row of a hit."""

    def __init__(self, taxonomy: Taxonomy, views: ClassViewBuilder) -> None:
        self._taxonomy, self._views = taxonomy, views

    def row(self, hit: SearchHit) -> ResultRow:
        return self._branch_hit(hit) if hit.is_branch else self._views.hit(hit)

    def branch(self, wnid: str) -> BranchListRow:
        """Return the row of a branch outside a search."""
        classes = self._taxonomy.classes_under(wnid)
        return BranchListRow(
            wnid=wnid,
            name=branch_name(self._taxonomy, wnid),
            classes=len(classes),
            note=self._taxonomy[wnid].gloss,
            samples=_samples(classes),
        )

    def _branch_hit(self, hit: SearchHit) -> BranchListRow:
        plain = self.branch(hit.wnid)
        is_name = hit.field is MatchedField.NAME
        return BranchListRow(
            wnid=plain.wnid,
            name=plain.name,
            classes=plain.classes,
            note=plain.note if is_name else f"{hit.text} — {plain.note}",
            samples=plain.samples,
            name_spans=hit.name_spans,
            note_spans=() if is_name else hit.spans,
        )


def _samples(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the classes to illustrate a branch with, those to show first before the others."""
    first, others = spread(classes, BRANCH_PICTURES), spread(classes, _BRANCH_SAMPLES)
    return tuple(dict.fromkeys((*first, *others)))


def spread(classes: Sequence[str], count: int) -> tuple[str, ...]:
    """Return this many classes, evenly spread over all of them."""
    step = max(len(classes) / count, 1)
    return tuple(classes[int(number * step)] for number in range(min(count, len(classes))))
