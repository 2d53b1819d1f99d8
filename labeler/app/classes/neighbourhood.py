"""The neighbourhood of a class: its siblings, look-alikes and cousins."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from labeler.app.classes.class_view import ClassLink
from labeler.core.classes.neighbourhood import ClassNeighbourhood, class_neighbourhood
from labeler.core.classes.taxonomy import Taxonomy

Picture_co = TypeVar("Picture_co", covariant=True)


class PictureSource(Protocol[Picture_co]):
    """Small pictures of classes: those open at once, others when they have been fetched."""

    def get(self, wnid: str) -> Picture_co | None:
        """The class's picture, if it is open."""
        ...

    def request(self, wnids: Iterable[str]) -> None:
        """Have the pictures of these classes fetched."""
        ...

    def listen(self, callback: Callable[[str], None]) -> None:
        """Be told of each class whose picture has come."""
        ...


class NeighbourKind(Enum):
    """How a class belongs to the one in the middle; the value is the group's title."""

    CENTRE = "This class"
    SIBLING = "Siblings"
    LOOK_ALIKE = "Look-alikes"
    COUSIN = "Cousins"


@dataclass(frozen=True, slots=True)
class NeighbourGroup:
    """Classes that belong to the one in the middle in one way."""

    kind: NeighbourKind
    classes: tuple[ClassLink, ...]

    @property
    def title(self) -> str:
        return self.kind.value


@dataclass(frozen=True, slots=True)
class NeighbourGroups:
    """The class in the middle and the groups around it; the first group is itself."""

    groups: tuple[NeighbourGroup, ...]

    @property
    def centre(self) -> ClassLink:
        return self.groups[0].classes[0]


class Neighbourhood:
    """Shows the classes around a class; what was found once is kept."""

    def __init__(self, *, taxonomy: Taxonomy, guide_pairs: frozenset[tuple[str, str]]) -> None:
        self._taxonomy = taxonomy
        self._guide_pairs = guide_pairs
        self._known: dict[str, ClassNeighbourhood] = {}

    def walk(self, wnid: str) -> NeighbourGroups:
        """Bring a class into the middle."""
        found = self._neighbourhood_of(wnid)
        classes = {
            NeighbourKind.CENTRE: (found.centre,),
            NeighbourKind.SIBLING: found.siblings,
            NeighbourKind.LOOK_ALIKE: found.look_alikes,
            NeighbourKind.COUSIN: found.cousins,
        }
        names = self._taxonomy.display_names
        groups = (
            NeighbourGroup(kind, tuple(ClassLink(wnid, names[wnid]) for wnid in wnids))
            for kind, wnids in classes.items()
            if wnids
        )
        return NeighbourGroups(tuple(groups))

    def _neighbourhood_of(self, wnid: str) -> ClassNeighbourhood:
        known = self._known.get(wnid)
        if known is None:
            known = self._known[wnid] = class_neighbourhood(
                wnid, taxonomy=self._taxonomy, guide_pairs=self._guide_pairs
            )
        return known
