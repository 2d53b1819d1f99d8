"""The class map: all classes on one sheet, a cursor on it, and what a person types.

Nothing here depends on the image to classify: the map opens where the person was looking.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.core.classes.branches import CanonicalBranches
from labeler.core.classes.families import SuperclassFamilies, class_families
from labeler.core.classes.map_layout import (
    MapArrangement,
    MapLayout,
    MapRect,
    arrange,
    map_metrics,
)

FindClasses = Callable[[str], Sequence[str]]


class MapStop(Enum):
    """The zoom stops, from far to near."""

    SUPERCLASSES = "Superclasses"
    FAMILIES = "Families"
    CLASSES = "Classes"
    REFERENCES = "References"


STOPS = tuple(MapStop)


class Direction(Enum):
    """A direction on the map, as steps right and down."""

    LEFT = (-1, 0)
    RIGHT = (1, 0)
    UP = (0, -1)
    DOWN = (0, 1)


@dataclass(frozen=True, slots=True)
class MapSelection:
    """What the cursor is on: a class, a family or a superclass, and its place in words."""

    name: str
    path: str
    wnids: tuple[str, ...]
    is_class: bool

    @property
    def place(self) -> str:
        """Where it is, and how many classes a group has."""
        return self.path if self.is_class else f"{self.path} · {_classes(len(self.wnids))}"

    @property
    def summary(self) -> str:
        """A text for the screen reader and for lists: the name, its place and its size."""
        if self.is_class:
            return f"{self.name}, class, in {self.path}"
        return f"{self.name}, {_classes(len(self.wnids))}"


@dataclass(frozen=True, slots=True)
class ClassMapView:
    """What the map shows: the zoom stop, the cursor by position, and what was found.

    `found` is None if nothing is typed; the best match is first.
    """

    stop: MapStop = MapStop.FAMILIES
    cursor: int | None = None
    query: str = ""
    found: tuple[int, ...] | None = None

    @property
    def best(self) -> int | None:
        return self.found[0] if self.found else None


class ClassMap:
    """Holds the cursor and the query; each method returns the view that follows."""

    def __init__(self, branches: CanonicalBranches, *, find: FindClasses) -> None:
        self._branches, self._find = branches, find
        self.superclasses: tuple[SuperclassFamilies, ...] = class_families(branches)
        self.arrangement: MapArrangement = arrange(self.superclasses)
        # Moves follow the places of classes, which no zoom changes.
        self._layout = MapLayout(self.arrangement, map_metrics(16))
        self._view = ClassMapView()

    @property
    def view(self) -> ClassMapView:
        return self._view

    def name(self, position: int) -> str:
        """Return the name of the class at a position."""
        return self._branches.labels[self.arrangement.wnids[position]]

    def other_names(self, position: int) -> str:
        """Return WordNet's further names of the class at a position."""
        taxonomy = self._branches.taxonomy
        return ", ".join(taxonomy[self.arrangement.wnids[position]].lemmas[1:])

    def gloss(self, wnid: str) -> str:
        return self._branches.taxonomy[wnid].gloss

    def open(self, at: str | None) -> ClassMapView:
        """Start over, at a class or at the first class of a branch, or at the whole map."""
        position = self._position_of(at)
        stop = MapStop.FAMILIES
        if position is not None and at in self.arrangement.index_of:
            stop = MapStop.CLASSES
        self._view = ClassMapView(stop=stop, cursor=position)
        return self._view

    def search(self, typed: str) -> ClassMapView:
        """Highlight the classes and families that match; an empty query highlights nothing."""
        found = self._found(typed) if typed.strip() else None
        self._view = replace(self._view, query=typed, found=found)
        return self._view

    def go_to_best(self) -> ClassMapView:
        """Put the cursor on the best match, and zoom to it."""
        best = self._view.best
        if best is not None:
            self._view = replace(self._view, cursor=best, stop=MapStop.CLASSES)
        return self._view

    def next_match(self, steps: int) -> ClassMapView:
        """Go to the next match, or to a previous one if negative, near enough to see it."""
        found = self._view.found
        if not found:
            return self._view
        cursor = self._view.cursor
        here = found.index(cursor) if cursor in found else (-1 if steps > 0 else 0)
        return self.go_to(self.arrangement.wnids[found[(here + steps) % len(found)]])

    def go_to(self, wnid: str) -> ClassMapView:
        """Put the cursor on a class, and zoom to it if it is shown from afar."""
        near = self._view.stop in (MapStop.CLASSES, MapStop.REFERENCES)
        stop = self._view.stop if near else MapStop.CLASSES
        cursor = self.arrangement.index_of[wnid]
        self._view = replace(self._view, cursor=cursor, stop=stop)
        return self._view

    def sibling(self, steps: int) -> ClassMapView:
        """Put the cursor on the next class of the family, or on a previous one if negative."""
        cursor = self._view.cursor
        if cursor is None:
            return self.point(0)
        block = self.arrangement.blocks[self.arrangement.block_of(cursor)]
        return self.point(block.first + (cursor - block.first + steps) % block.count)

    def point(self, position: int | None) -> ClassMapView:
        """Put the cursor on a class."""
        self._view = replace(self._view, cursor=position)
        return self._view

    def zoom_to(self, stop: MapStop) -> ClassMapView:
        self._view = replace(self._view, stop=stop)
        return self._view

    def zoom(self, steps: int) -> ClassMapView:
        """Zoom in by this many stops, or out if negative."""
        place = STOPS.index(self._view.stop) + steps
        return self.zoom_to(STOPS[max(0, min(place, len(STOPS) - 1))])

    def move(self, direction: Direction) -> ClassMapView:
        """Move the cursor to the next class, family or superclass in a direction."""
        if self._view.cursor is None:
            return self.point(0)
        if self._view.stop in (MapStop.CLASSES, MapStop.REFERENCES):
            return self.point(self._next_class(self._view.cursor, direction))
        return self.point(self._next_group(self._view.cursor, direction))

    def selection(self) -> MapSelection | None:
        """Return what the cursor is on at this zoom."""
        cursor = self._view.cursor
        if cursor is None:
            return None
        block = self.arrangement.blocks[self.arrangement.block_of(cursor)]
        superclass = self.superclasses[block.superclass]
        if self._view.stop is MapStop.SUPERCLASSES:
            return MapSelection(superclass.name, "All classes", superclass.wnids, is_class=False)
        family = superclass.families[block.family]
        if self._view.stop is MapStop.FAMILIES:
            return MapSelection(family.name, superclass.name, family.wnids, is_class=False)
        return self.class_selection(cursor)

    def match_ahead(self) -> MapSelection | None:
        """Return the best match, unless the cursor is on a match or there is none."""
        view = self._view
        if view.best is None or view.cursor in (view.found or ()):
            return None
        return self.class_selection(view.best)

    def class_selection(self, position: int) -> MapSelection:
        """Return the class at a position, whatever the zoom."""
        block = self.arrangement.blocks[self.arrangement.block_of(position)]
        superclass = self.superclasses[block.superclass]
        path = PATH_SEPARATOR.join((superclass.name, superclass.families[block.family].name))
        wnid = self.arrangement.wnids[position]
        return MapSelection(self.name(position), path, (wnid,), is_class=True)

    def path(self) -> tuple[str, ...]:
        """Return the names above and at the cursor, for the line above the map."""
        selected = self.selection()
        if selected is None:
            return ("All classes",)
        above = selected.path.split(PATH_SEPARATOR)
        return (*above, selected.name)

    def _position_of(self, at: str | None) -> int | None:
        index, taxonomy = self.arrangement.index_of, self._branches.taxonomy
        if at in index:
            return index[at]
        for branch in self._branches.walk():
            if branch.key == at or at in branch.folded:
                return index[branch.classes[0]]
        known = taxonomy.classes_under(at) if at is not None and at in taxonomy else ()
        return index[known[0]] if known else None

    def _found(self, typed: str) -> tuple[int, ...]:
        index = self.arrangement.index_of
        hits = dict.fromkeys(index[wnid] for wnid in self._find(typed) if wnid in index)
        return tuple(hits | dict.fromkeys(self._family_matches(typed)))

    def _family_matches(self, typed: str) -> list[int]:
        """Return the classes of families whose name has a word that begins like the text."""
        wanted = typed.strip().casefold()
        index = self.arrangement.index_of
        return [
            index[wnid]
            for superclass in self.superclasses
            for family in superclass.families
            if any(word.startswith(wanted) for word in family.name.casefold().split())
            for wnid in family.wnids
        ]

    def _next_class(self, cursor: int, direction: Direction) -> int:
        """Return the next class in the row or column, in the nearest family if there is none."""
        here = self._layout.tile(cursor)
        block = self.arrangement.blocks[self.arrangement.block_of(cursor)]
        across, down = direction.value
        within = cursor - block.first
        row, column = divmod(within, block.columns)
        beyond = (row + down) * block.columns + column + across
        if 0 <= column + across < block.columns and 0 <= beyond < block.count:
            return block.first + beyond
        found = self._nearest(here, direction, exclude=self.arrangement.block_of(cursor))
        return cursor if found is None else self._entry(found, here)

    def _next_group(self, cursor: int, direction: Direction) -> int:
        number = self.arrangement.block_of(cursor)
        if self._view.stop is MapStop.FAMILIES:
            found = self._nearest(self._layout.blocks[number], direction, exclude=number)
            return cursor if found is None else self.arrangement.blocks[found].first
        own = self.arrangement.blocks[number].superclass
        frames = {n: rect for n, rect in self._layout.frames.items() if n != own}
        chosen = _nearest(self._layout.frames[own], frames, direction)
        if chosen is None:
            return cursor
        return next(b.first for b in self.arrangement.blocks if b.superclass == chosen)

    def _nearest(self, here: MapRect, direction: Direction, *, exclude: int) -> int | None:
        others = {n: r for n, r in enumerate(self._layout.blocks) if n != exclude}
        return _nearest(here, others, direction)

    def _entry(self, number: int, here: MapRect) -> int:
        """Return the class of a block that is closest to a tile."""
        block = self.arrangement.blocks[number]
        positions = range(block.first, block.first + block.count)
        return min(positions, key=lambda n: _distance(self._layout.tile(n), here))


def _nearest(here: MapRect, others: dict[int, MapRect], direction: Direction) -> int | None:
    """Return the closest rectangle in a direction, sideways steps counting more."""
    across, down = direction.value
    found: list[tuple[float, int]] = []
    for number, rect in others.items():
        ahead = (
            (rect.x - here.x - here.width if across > 0 else here.x - rect.x - rect.width)
            if across
            else (rect.y - here.y - here.height if down > 0 else here.y - rect.y - rect.height)
        )
        if ahead >= -1:
            aside = _gap(here.y, here.height, rect.y, rect.height)
            if down:
                aside = _gap(here.x, here.width, rect.x, rect.width)
            found.append((ahead + 3 * aside, number))
    return min(found)[1] if found else None


def _gap(start: float, length: float, other: float, other_length: float) -> float:
    return max(0.0, other - start - length, start - other - other_length)


def _distance(one: MapRect, other: MapRect) -> float:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count:,} classes"
