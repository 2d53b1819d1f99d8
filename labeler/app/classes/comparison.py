"""Comparing classes: their references, and how the guide tells them apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Generic, TypeVar

from labeler.app.classes.class_view import PATH_SEPARATOR, ClassListRow
from labeler.app.classes.references import References, ReferencesState, ReferencesView
from labeler.guide.markdown import plain_words

Sheet = TypeVar("Sheet")

_STEPS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class ComparedClass(Generic[Sheet]):
    """A compared class: its name, the last steps of its path, its references."""

    wnid: str
    name: str
    path: str
    references: ReferencesView[Sheet]


@dataclass(frozen=True, slots=True)
class DistinguishingTrait:
    """Two of the classes, and the trait by which the guide tells them apart."""

    one: str
    other: str
    trait: str


@dataclass(frozen=True, slots=True)
class ComparedClasses(Generic[Sheet]):
    """The columns in the order of the shortlist, and the guide's distinctions."""

    columns: tuple[ComparedClass[Sheet], ...] = ()
    differences: tuple[DistinguishingTrait, ...] = ()


class Comparison(Generic[Sheet]):
    """Shows the given classes, and their references as they arrive."""

    def __init__(
        self,
        *,
        describe: Callable[[str], ClassListRow],
        references: References[Sheet],
        distinction: Callable[[str, str], str | None],
    ) -> None:
        self._describe = describe
        self._references = references
        self._distinction = distinction
        self._show: Callable[[ComparedClasses[Sheet]], None] = lambda _view: None
        self._view: ComparedClasses[Sheet] = ComparedClasses()
        self._requests: dict[str, Callable[[], None]] = {}

    @property
    def view(self) -> ComparedClasses[Sheet]:
        return self._view

    def listen(self, show: Callable[[ComparedClasses[Sheet]], None]) -> None:
        """Call `show` with every new view."""
        self._show = show

    def compare(self, wnids: Sequence[str]) -> None:
        """Show these classes; those already shown keep their references."""
        for wnid in self._requests.keys() - set(wnids):
            self._requests.pop(wnid)()
        known = {column.wnid: column for column in self._view.columns}
        columns = tuple(known.get(wnid) or self._column(wnid) for wnid in wnids)
        self._become(ComparedClasses(columns, self._differences(columns)))
        for wnid in wnids:
            if wnid not in known:
                self._requests[wnid] = self._references.fetch(wnid, partial(self._arrived, wnid))

    def refresh_traits(self) -> None:
        """Read the guide's distinctions again, since it may have been loaded meanwhile."""
        self._become(replace(self._view, differences=self._differences(self._view.columns)))

    def close(self) -> None:
        """Drop all requests and references."""
        self.compare(())

    def _column(self, wnid: str) -> ComparedClass[Sheet]:
        row = self._describe(wnid)
        return ComparedClass(
            wnid=wnid,
            name=row.name,
            path=PATH_SEPARATOR.join(row.path.split(PATH_SEPARATOR)[-_STEPS_SHOWN:]),
            references=ReferencesView(ReferencesState.LOADING, wnid),
        )

    def _differences(
        self, columns: Sequence[ComparedClass[Sheet]]
    ) -> tuple[DistinguishingTrait, ...]:
        pairs = [(a, b, self._distinction(a.wnid, b.wnid)) for a, b in combinations(columns, 2)]
        return tuple(
            DistinguishingTrait(a.name, b.name, plain_words(trait))
            for a, b, trait in pairs
            if trait
        )

    def _arrived(self, wnid: str, view: ReferencesView[Sheet]) -> None:
        columns = tuple(
            replace(column, references=view) if column.wnid == wnid else column
            for column in self._view.columns
        )
        self._become(replace(self._view, columns=columns))

    def _become(self, view: ComparedClasses[Sheet]) -> None:
        if view != self._view:
            self._view = view
            self._show(view)
