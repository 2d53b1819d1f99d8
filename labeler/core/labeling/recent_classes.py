"""The recently used classes, in slots that keep their numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

RECENT_SLOTS = 9


@dataclass(frozen=True, slots=True)
class RecentClasses:
    """Classes by slot; a new one takes a free slot, or that of the least recently used."""

    slots: tuple[str, ...] = ()
    # The same classes, the most recently used last.
    by_use: tuple[str, ...] = ()

    def used(self, wnid: str) -> "RecentClasses":
        """Return the slots after an answer with this class."""
        others = tuple(other for other in self.by_use if other != wnid)
        if wnid in self.slots:
            return replace(self, by_use=(*others, wnid))
        if len(self.slots) < RECENT_SLOTS:
            return RecentClasses((*self.slots, wnid), (*others, wnid))
        oldest = others[0]
        slots = tuple(wnid if slot == oldest else slot for slot in self.slots)
        return RecentClasses(slots, (*others[1:], wnid))


def recent_classes(labels: Iterable[str]) -> RecentClasses:
    """Return the slots after these answers, the oldest first."""
    recent = RecentClasses()
    for wnid in labels:
        recent = recent.used(wnid)
    return recent
