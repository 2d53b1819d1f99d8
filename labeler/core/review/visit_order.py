"""A reviewer's way through a review, by image or by class, with their own verdicts so far."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from labeler.core.review.blind_types import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.review.blinding import held_for_second_round, label_order, tile_order


class ClassRound(NamedTuple):
    """A class before the reviewer for the first or the second time; all first rounds come first.

    A pair that is asked twice can't be in one grid both times. So its class comes again after all
    classes have come once, with the images that are asked again and as many others, held back from
    the first round. Nothing shows which is which.
    """

    number: int
    wnid: str


# No class comes before it.
FIRST_ROUND = ClassRound(1, "")


def class_rounds(visits: Iterable[BlindVisit]) -> dict[ClassRound, tuple[str, ...]]:
    """The visits of every round."""
    asked: dict[str, list[str]] = defaultdict(list)
    again: dict[str, dict[str, str]] = defaultdict(dict)
    for visit in visits:
        for label in visit.labels:
            if visit.first is None:
                asked[label.wnid].append(visit.visit_id)
            else:
                again[label.wnid][visit.visit_id] = visit.first
    rounds: dict[ClassRound, tuple[str, ...]] = {}
    for wnid in asked.keys() | again.keys():
        rounds |= _of_class(wnid, asked[wnid], again[wnid])
    return rounds


def _of_class(
    wnid: str, asked: list[str], again: dict[str, str]
) -> dict[ClassRound, tuple[str, ...]]:
    once = set(asked) - set(again.values())
    held = frozenset(held_for_second_round(wnid, once, count=len(again)))
    parts = (
        [visit_id for visit_id in asked if visit_id not in held],
        [*again, *(visit_id for visit_id in asked if visit_id in held)],
    )
    return {ClassRound(number, wnid): tuple(part) for number, part in enumerate(parts, 1) if part}


class AskedLabel(NamedTuple):
    """A label that is asked of the image of a visit."""

    visit_id: str
    wnid: str


class ReviewOrder:
    """The visits of one reviewer in their order; every verdict is known here as it is given.

    A second asking is a visit of its own for the label that is asked again. Whatever else is
    judged there belongs to the first visit to the image, and is known at both.
    """

    def __init__(self, visits: Iterable[BlindVisit]) -> None:
        self._visits = {visit.visit_id: visit for visit in visits}
        self._ids = tuple(self._visits)
        self._places = {visit_id: place for place, visit_id in enumerate(self._ids)}
        self._tiles = class_rounds(self._visits.values())
        self._rounds = sorted(self._tiles)
        self._round_of = {
            AskedLabel(visit_id, one.wnid): one
            for one, tiles in self._tiles.items()
            for visit_id in tiles
        }
        self._lent: dict[AskedLabel, list[str]] = {}
        self._left: Counter[ClassRound] = Counter()
        self.total = self.done = 0
        for visit in self._visits.values():
            for label in visit.labels:
                self._count(AskedLabel(visit.visit_id, label.wnid), label.own)

    def extended(self, visits: Iterable[BlindVisit]) -> "ReviewOrder":
        """The order with further visits behind its own; those that it has stay as they are."""
        assert not self._lent, "labels are added once everything is known"
        further = (visit for visit in visits if visit.visit_id not in self)
        return ReviewOrder((*self._visits.values(), *further))

    def __getitem__(self, visit_id: str) -> BlindVisit:
        return self._visits[visit_id]

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, visit_id: object) -> bool:
        return visit_id in self._visits

    @property
    def left(self) -> int:
        return self.total - self.done

    def place(self, visit_id: str) -> int:
        """Where the visit is in the reviewer's order, from 1."""
        return self._places[visit_id] + 1

    def own(self, visit_id: str, wnid: str) -> OwnVerdict | None:
        for label in self._visits[visit_id].labels:
            if label.wnid == wnid:
                return label.own
        raise KeyError(wnid)

    def owner(self, visit_id: str, wnid: str) -> str:
        """The visit to which the label belongs, where a verdict on it is stored."""
        first = self._visits[visit_id].first
        return visit_id if first is None or AskedLabel(visit_id, wnid) in self._round_of else first

    def judge(self, visit_id: str, wnid: str, own: OwnVerdict | None) -> None:
        """Take a verdict in, or by None take it back."""
        asked = AskedLabel(self.owner(visit_id, wnid), wnid)
        gained = (own is not None) - (self.own(*asked) is not None)
        self.done += gained
        self._left[self._round_of[asked]] -= gained
        for shown_at in (asked.visit_id, *self._lent.get(asked, ())):
            self._put(shown_at, BlindLabel(wnid, own))

    def add_label(self, visit_id: str, wnid: str) -> None:
        """Have a label judged that wasn't asked; one that is there stays as it is."""
        if self._has(visit_id, wnid):
            return
        asked = AskedLabel(self._visits[visit_id].first or visit_id, wnid)
        if not self._has(*asked):
            one = self._round_of[asked] = ClassRound(1, wnid)
            if one not in self._tiles:
                insort(self._rounds, one)
            self._tiles[one] = (*self._tiles.get(one, ()), asked.visit_id)
            self._put(asked.visit_id, BlindLabel(wnid))
            self._count(asked, None)
        if asked.visit_id != visit_id:
            self._lent.setdefault(asked, []).append(visit_id)
            self._put(visit_id, BlindLabel(wnid, self.own(*asked)))

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

    def rounds(self) -> tuple[ClassRound, ...]:
        """The classes as they come, those that lie together in the taxonomy together."""
        return tuple(self._rounds)

    def number_of(self, one: ClassRound) -> int:
        """Where the round is among all, from 1."""
        return bisect_left(self._rounds, one) + 1

    def waiting_round(self, one: ClassRound, *, past: bool) -> ClassRound | None:
        """The first round from there, or past it, that still waits; else the first of all."""
        rounds = self._rounds
        place = bisect_right(rounds, one) if past else bisect_left(rounds, one)
        return next((one for one in rounds[place:] + rounds[:place] if self._left[one]), None)

    def round_before(self, one: ClassRound) -> ClassRound | None:
        place = bisect_left(self._rounds, one)
        return self._rounds[place - 1] if place else None

    def round_of(self, visit_id: str, wnid: str) -> ClassRound:
        """In which round the label is asked of the image."""
        return self._round_of[AskedLabel(self.owner(visit_id, wnid), wnid)]

    def left_in(self, one: ClassRound) -> int:
        """How many images of a round still wait."""
        return self._left[one]

    def tiles(self, one: ClassRound) -> tuple[str, ...]:
        """The visits to a round's images, in an order that means nothing."""
        return tile_order(one.wnid, self._tiles[one])

    def _count(self, asked: AskedLabel, own: OwnVerdict | None) -> None:
        self.total += 1
        self.done += own is not None
        self._left[self._round_of[asked]] += own is None

    def _has(self, visit_id: str, wnid: str) -> bool:
        return any(label.wnid == wnid for label in self._visits[visit_id].labels)

    def _put(self, visit_id: str, label: BlindLabel) -> None:
        visit = self._visits[visit_id]
        known = {known.wnid: known for known in visit.labels}
        order = known if label.wnid in known else label_order(visit_id, (*known, label.wnid))
        known[label.wnid] = label
        self._visits[visit_id] = replace(visit, labels=tuple(known[wnid] for wnid in order))
