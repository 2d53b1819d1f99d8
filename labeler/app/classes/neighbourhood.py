"""The neighbourhood of a class: its siblings, look-alikes and cousins."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from labeler.app.classes.class_view import ClassLink
from labeler.core.classes.look_alike_ranking import LookAlikeRanking
from labeler.core.classes.neighbourhood import ClassNeighbourhood, class_neighbourhood
from labeler.core.classes.taxonomy import Taxonomy

Picture_co = TypeVar("Picture_co", covariant=True)


class PictureSource(Protocol[Picture_co]):
    """A source of small pictures of classes, which are fetched on request."""

    def get(self, wnid: str) -> Picture_co | None:
        """Return the class's picture if it is loaded, else None."""
        ...

    def request(self, wnids: Iterable[str]) -> None:
        """Fetch the pictures of these classes."""
        ...

    def listen(self, callback: Callable[[str], None]) -> None:
        """Call back with each class whose picture has arrived."""
        ...


class NeighbourKind(Enum):
    """How a class relates to the one in the middle; the value is the group's title."""

    CENTRE = "This class"
    SIBLING = "Siblings"
    LOOK_ALIKE = "Look-alikes"
    COUSIN = "Cousins"


@dataclass(frozen=True, slots=True)
class NeighbourGroup:
    """Classes with the same relation to the one in the middle."""

    kind: NeighbourKind
    classes: tuple[ClassLink, ...]

    @property
    def title(self) -> str:
        return self.kind.value


@dataclass(frozen=True, slots=True)
class NeighbourGroups:
    """The groups around a class; the first group is the class itself."""

    groups: tuple[NeighbourGroup, ...]

    @property
    def centre(self) -> ClassLink:
        return self.groups[0].classes[0]


class Neighbourhood:
    """Finds the classes around a class, and caches them."""

    def __init__(self, *, taxonomy: Taxonomy, ranking: LookAlikeRanking) -> None:
        self._taxonomy = taxonomy
        self._ranking = ranking
        self._known: dict[str, ClassNeighbourhood] = {}

    def walk(self, wnid: str) -> NeighbourGroups:
        """Return the groups around a class."""
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
                wnid, taxonomy=self._taxonomy, ranking=self._ranking
            )
        return known
