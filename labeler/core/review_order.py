"""A reviewer's way through a review, by image or by class, with their own verdicts so far."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from labeler.core.blind_review import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.blinding import label_order, tile_order


@dataclass(frozen=True, slots=True)
class ClassProgress:
    """A class that is asked, on how many images, and how many of them still wait."""

    wnid: str
    left: int
    total: int


class ReviewOrder:
    """The visits of one reviewer in their order; every verdict is known here as it is given."""

    def __init__(self, visits: Iterable[BlindVisit]) -> None:
        self._visits = {visit.visit_id: visit for visit in visits}
        self._ids = tuple(self._visits)
        self._places = {visit_id: place for place, visit_id in enumerate(self._ids)}
        self._by_class: dict[str, list[str]] = {}
        self._left: Counter[str] = Counter()
        self.total = self.done = 0
        for visit in self._visits.values():
            self.total += len(visit.labels)
            self.done += sum(label.own is not None for label in visit.labels)
            if not visit.again:
                for label in visit.labels:
                    self._by_class.setdefault(label.wnid, []).append(visit.visit_id)
                    self._left[label.wnid] += label.own is None

    def __getitem__(self, visit_id: str) -> BlindVisit:
        return self._visits[visit_id]

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def left(self) -> int:
        return self.total - self.done

    def place(self, visit_id: str) -> int:
        """Where the visit stands in the reviewer's order, from 1."""
        return self._places[visit_id] + 1

    def own(self, visit_id: str, wnid: str) -> OwnVerdict | None:
        return next(label.own for label in self._visits[visit_id].labels if label.wnid == wnid)

    def judge(self, visit_id: str, wnid: str, own: OwnVerdict | None) -> None:
        """Take a verdict in, or by None take it back."""
        visit = self._visits[visit_id]
        before = self.own(visit_id, wnid)
        gained = (own is not None) - (before is not None)
        self.done += gained
        if not visit.again:
            self._left[wnid] -= gained
        labels = tuple(
            BlindLabel(wnid, own) if label.wnid == wnid else label for label in visit.labels
        )
        self._visits[visit_id] = replace(visit, labels=labels)

    def add_label(self, visit_id: str, wnid: str) -> None:
        """Have a label judged that wasn't asked; one that is there stays as it is."""
        visit = self._visits[visit_id]
        known = {label.wnid: label for label in visit.labels}
        if wnid in known:
            return
        known[wnid] = BlindLabel(wnid)
        ordered = tuple(known[label] for label in label_order(visit_id, known))
        self._visits[visit_id] = replace(visit, labels=ordered)
        self.total += 1
        if not visit.again:
            self._by_class.setdefault(wnid, []).append(visit_id)
            self._left[wnid] += 1

    def first_waiting(self) -> str | None:
        return next((visit_id for visit_id in self._ids if self._visits[visit_id].waits), None)

    def last(self) -> str | None:
        return self._ids[-1] if self._ids else None

    def waiting(self, after: str, *, count: int) -> tuple[str, ...]:
        """The visits that will be met next, the nearest first, from the beginning after the end."""
        place = self._places[after]
        found: list[str] = []
        for visit_id in self._ids[place + 1 :] + self._ids[:place]:
            if self._visits[visit_id].waits:
                found.append(visit_id)
                if len(found) == count:
                    break
        return tuple(found)

    def before(self, visit_id: str) -> str | None:
        place = self._places[visit_id]
        return self._ids[place - 1] if place else None

    def classes(self) -> tuple[ClassProgress, ...]:
        """The classes that are asked, those that lie together in the taxonomy together."""
        return tuple(self.class_progress(wnid) for wnid in sorted(self._by_class))

    def class_progress(self, wnid: str) -> ClassProgress:
        return ClassProgress(wnid, self._left[wnid], len(self._by_class[wnid]))

    def tiles(self, wnid: str) -> tuple[str, ...]:
        """The visits to images of which the class is asked, in an order that means nothing."""
        return tile_order(wnid, self._by_class[wnid])
