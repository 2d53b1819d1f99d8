"""The shortlist: the few classes between which a person decides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from labeler.app.classes.class_view import ClassLink

MAX_SHORTLISTED = 4
SHORTLIST_FULL = f"The shortlist is full ({MAX_SHORTLISTED} classes). Remove one to add another."


@dataclass(frozen=True, slots=True)
class ShortlistView:
    """The classes in the order in which they were added; `refusal` says why one wasn't."""

    classes: tuple[ClassLink, ...] = ()
    refusal: str = ""

    @property
    def wnids(self) -> tuple[str, ...]:
        return tuple(link.wnid for link in self.classes)

    @property
    def is_full(self) -> bool:
        return len(self.classes) == MAX_SHORTLISTED


class Shortlist:
    """Holds up to four classes; each method returns the new view."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._view = ShortlistView()

    @property
    def view(self) -> ShortlistView:
        return self._view

    def toggle(self, wnid: str) -> ShortlistView:
        """Add a class to the list, or remove it; a fifth is refused."""
        if wnid in self._view.wnids:
            return self.remove(wnid)
        if self._view.is_full:
            return self._become(self._view.wnids, refusal=SHORTLIST_FULL)
        return self._become((*self._view.wnids, wnid))

    def remove(self, wnid: str) -> ShortlistView:
        return self._become(kept for kept in self._view.wnids if kept != wnid)

    def clear(self) -> ShortlistView:
        return self._become(())

    def restore(self, wnids: Iterable[str]) -> ShortlistView:
        """Restore the list from a draft, skipping unknown classes."""
        return self._become(
            [wnid for wnid in dict.fromkeys(wnids) if wnid in self._names][:MAX_SHORTLISTED]
        )

    def _become(self, wnids: Iterable[str], *, refusal: str = "") -> ShortlistView:
        links = tuple(ClassLink(wnid, self._names[wnid]) for wnid in wnids)
        self._view = ShortlistView(classes=links, refusal=refusal)
        return self._view
