"""The order of a reviewer's visits, by image or by class, with their own verdicts so far."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from labeler.core.review.blind_types import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.review.blinding import held_for_second_round, label_order, tile_order


class ClassRound(NamedTuple):
    """A class in the first or second round; all first rounds come before the second ones.

    A pair that is judged twice can't be in one grid both times. Its class therefore returns after
    all classes were shown once, with the repeated images and as many others, held back from the
    first round. Nothing shows which is which.
    """

    number: int
    wnid: str


# Sorts before every class.
FIRST_ROUND = ClassRound(1, "")


def class_rounds(visits: Iterable[BlindVisit]) -> dict[ClassRound, tuple[str, ...]]:
    """Return the visits of every round."""
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
    """A label to judge for the image of a visit."""

    visit_id: str
    wnid: str


class ReviewOrder:
    """One reviewer's visits in order, updated with every verdict.

    A repeat is a separate visit for the label to judge again. Other labels judged there belong to
    the first visit to the image and are shown at both.
    """

    def __init__(self, visits: Iterable[BlindVisit]) -> None:
        self._visits = {visit.visit_id: visit for visit in visits}
        self._ids = tuple(self._visits)
        self._positions = {visit_id: position for position, visit_id in enumerate(self._ids)}
        self._tiles = class_rounds(self._visits.values())
        self._rounds = sorted(self._tiles)
        self._round_of = {
            AskedLabel(visit_id, class_round.wnid): class_round
            for class_round, tiles in self._tiles.items()
            for visit_id in tiles
        }
        self._borrowed: dict[AskedLabel, list[str]] = {}
        self._left: Counter[ClassRound] = Counter()
        self.total = self.done = 0
        for visit in self._visits.values():
            for label in visit.labels:
                self._count(AskedLabel(visit.visit_id, label.wnid), label.own)

    def extended(self, visits: Iterable[BlindVisit]) -> "ReviewOrder":
        """Return the order with further visits appended; existing visits are unchanged."""
        assert not self._borrowed, "labels are only added after all visits are loaded"
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
        """Return the visit's position in the reviewer's order, from 1."""
        return self._positions[visit_id] + 1

    def own(self, visit_id: str, wnid: str) -> OwnVerdict | None:
        for label in self._visits[visit_id].labels:
            if label.wnid == wnid:
                return label.own
        raise KeyError(wnid)

    def owner(self, visit_id: str, wnid: str) -> str:
        """Return the visit that the label belongs to, where its verdict is stored."""
        first = self._visits[visit_id].first
        return visit_id if first is None or AskedLabel(visit_id, wnid) in self._round_of else first

    def judge(self, visit_id: str, wnid: str, own: OwnVerdict | None) -> None:
        """Record a verdict; None withdraws it."""
        asked = AskedLabel(self.owner(visit_id, wnid), wnid)
        gained = (own is not None) - (self.own(*asked) is not None)
        self.done += gained
        self._left[self._round_of[asked]] -= gained
        for shown_at in (asked.visit_id, *self._borrowed.get(asked, ())):
            self._put(shown_at, BlindLabel(wnid, own))

    def add_label(self, visit_id: str, wnid: str) -> None:
        """Add a label to judge; an existing label is unchanged."""
        if self._has(visit_id, wnid):
            return
        asked = AskedLabel(self._visits[visit_id].first or visit_id, wnid)
        if not self._has(*asked):
            class_round = self._round_of[asked] = ClassRound(1, wnid)
            if class_round not in self._tiles:
                insort(self._rounds, class_round)
            self._tiles[class_round] = (*self._tiles.get(class_round, ()), asked.visit_id)
            self._put(asked.visit_id, BlindLabel(wnid))
            self._count(asked, None)
        if asked.visit_id != visit_id:
            self._borrowed.setdefault(asked, []).append(visit_id)
            self._put(visit_id, BlindLabel(wnid, self.own(*asked)))

    def first_waiting(self) -> str | None:
        return next((visit_id for visit_id in self._ids if self._visits[visit_id].waits), None)

    def last(self) -> str | None:
        return self._ids[-1] if self._ids else None

    def waiting(self, after: str, *, count: int) -> tuple[str, ...]:
        """Return the next visits with open labels, nearest first, wrapping around at the end."""
        position = self._positions[after]
        found: list[str] = []
        for visit_id in self._ids[position + 1 :] + self._ids[:position]:
            if self._visits[visit_id].waits:
                found.append(visit_id)
                if len(found) == count:
                    break
        return tuple(found)

    def before(self, visit_id: str) -> str | None:
        position = self._positions[visit_id]
        return self._ids[position - 1] if position else None

    def rounds(self) -> tuple[ClassRound, ...]:
        """Return the class rounds in order; classes close in the taxonomy are close together."""
        return tuple(self._rounds)

    def number_of(self, one: ClassRound) -> int:
        """Return the position of the round among all, from 1."""
        return bisect_left(self._rounds, one) + 1

    def waiting_round(self, one: ClassRound, *, past: bool) -> ClassRound | None:
        """Return the first round from there, or after it, with open labels; wraps around."""
        rounds = self._rounds
        position = bisect_right(rounds, one) if past else bisect_left(rounds, one)
        return next((one for one in rounds[position:] + rounds[:position] if self._left[one]), None)

    def round_before(self, one: ClassRound) -> ClassRound | None:
        position = bisect_left(self._rounds, one)
        return self._rounds[position - 1] if position else None

    def round_of(self, visit_id: str, wnid: str) -> ClassRound:
        """Return the round in which the label of the image is judged."""
        return self._round_of[AskedLabel(self.owner(visit_id, wnid), wnid)]

    def left_in(self, one: ClassRound) -> int:
        """Return how many images of a round are still open."""
        return self._left[one]

    def tiles(self, one: ClassRound) -> tuple[str, ...]:
        """Return the visits to a round's images, in a meaningless order."""
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
