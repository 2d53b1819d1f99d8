"""Conditions on images, each in the words of a number that counts them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from labeler.core.metrics.answer_marks import UNJUDGED
from labeler.core.metrics.cell_source import Marking, row_of, rows_of
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_TIME
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ImageKey


@dataclass(frozen=True, slots=True)
class CountedForAny:
    """In the denominator of one of them at least."""

    markings: tuple[Marking, ...]

    def holds(self, scored: ScoredDataset) -> Flags:
        found = np.zeros(len(scored.dataset.images), np.bool_)
        for metric in dict.fromkeys(marking.metric for marking in self.markings):
            own = [marking for marking in self.markings if marking.metric is metric]
            found |= scored.counted(metric)[rows_of(scored, own)].any(axis=0)
        return found


@dataclass(frozen=True, slots=True)
class CountedForAll:
    """In everybody's denominator: images that all of them answered."""

    markings: tuple[Marking, ...]

    def holds(self, scored: ScoredDataset) -> Flags:
        found = np.ones(len(scored.dataset.images), np.bool_)
        for marking in self.markings:
            found &= scored.counted(marking.metric)[row_of(scored, marking.participant)]
        return found


@dataclass(frozen=True, slots=True)
class Marked:
    """Right, or wrong."""

    marking: Marking
    right: bool

    def holds(self, scored: ScoredDataset) -> Flags:
        found = scored.right(self.marking.metric, self.marking.convention)
        return np.asarray(found[row_of(scored, self.marking.participant)] == self.right)


@dataclass(frozen=True, slots=True)
class AnsweredByAny:
    """Answered by so many of them, whether or not it is judged."""

    participants: tuple[str, ...]
    fewest: int = 1

    def holds(self, scored: ScoredDataset) -> Flags:
        rows = [row_of(scored, code) for code in self.participants]
        return np.asarray(np.count_nonzero(scored.marks.answered[rows], axis=0) >= self.fewest)


@dataclass(frozen=True, slots=True)
class HatchUsed:
    participant: str

    def holds(self, scored: ScoredDataset) -> Flags:
        return np.asarray(scored.marks.hatches[row_of(scored, self.participant)])


@dataclass(frozen=True, slots=True)
class NotJudged:
    """Answered with a label that nobody judged; or, in the place of a hatch, its alternative."""

    participant: str
    alternative: bool = False

    def holds(self, scored: ScoredDataset) -> Flags:
        row = row_of(scored, self.participant)
        if not self.alternative:
            return np.asarray(scored.marks.states[row] == UNJUDGED)
        if row >= scored.marks.humans:
            return np.zeros(len(scored.dataset.images), np.bool_)
        return np.asarray(scored.marks.hatches[row] & (scored.marks.imputed[row] == UNJUDGED))


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """Seen by the person before the evaluation was locked, or not."""

    participant: str
    before: bool

    def holds(self, scored: ScoredDataset) -> Flags:
        seen = scored.dataset.seen_before
        if seen is None:
            return np.full(len(scored.dataset.images), not self.before)
        return np.asarray(seen[row_of(scored, self.participant)] == self.before)


@dataclass(frozen=True, slots=True)
class MedianTime:
    """The humans' median active time, in seconds, with the upper end; the first band has zero."""

    above: float
    up_to: float | None

    def holds(self, scored: ScoredDataset) -> Flags:
        seconds = scored.facts.seconds
        long_enough = seconds > self.above if self.above else seconds >= 0
        return np.asarray(long_enough & (seconds <= (np.inf if self.up_to is None else self.up_to)))


@dataclass(frozen=True, slots=True)
class TimeKnown:
    """The person's active time is known."""

    participant: str

    def holds(self, scored: ScoredDataset) -> Flags:
        return np.asarray(scored.dataset.active_ms[row_of(scored, self.participant)] != NO_TIME)


@dataclass(frozen=True, slots=True)
class Taken:
    """Of one superclass and answered with another, or the same; both by the subset's key."""

    participant: str
    target: str
    answer: str

    def holds(self, scored: ScoredDataset) -> Flags:
        classes = {subset.key: subset.classes for subset in scored.subsets}
        target, answer = classes[self.target], classes[self.answer]
        assert target is not None, "superclasses go by class"
        assert answer is not None, "superclasses go by class"
        row = row_of(scored, self.participant)
        labels, answered = scored.marks.labels[row], scored.marks.answered[row]
        return np.asarray(target[scored.dataset.targets] & answered & answer[labels])


class Sort(Enum):
    """What a dataset's images are counted as."""

    BASE = "in the base"
    EVALUATED = "evaluated"
    PROBLEMATIC = "problematic"
    WITHOUT_CORRECT_LABEL = "judged with no label correct"
    UNJUDGED = "evaluated, and not judged"
    SEVERAL_LABELS = "evaluated, with several correct labels"


_SORTS: Mapping[Sort, Callable[[ScoredDataset], Flags]] = {
    Sort.BASE: lambda s: s.facts.base,
    Sort.EVALUATED: lambda s: s.facts.evaluated,
    Sort.PROBLEMATIC: lambda s: s.facts.base & s.facts.problematic,
    Sort.WITHOUT_CORRECT_LABEL: lambda s: (
        s.facts.base & ~s.facts.problematic & s.facts.without_correct_label
    ),
    Sort.UNJUDGED: lambda s: s.facts.evaluated & ~s.facts.judged,
    Sort.SEVERAL_LABELS: lambda s: s.facts.evaluated & (s.facts.correct_labels > 1),
}
assert set(_SORTS) == set(Sort), "every sort of images can be told"


@dataclass(frozen=True, slots=True)
class OfSort:
    sort: Sort

    def holds(self, scored: ScoredDataset) -> Flags:
        return _SORTS[self.sort](scored)


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Named one by one."""

    images: frozenset[ImageKey]

    def holds(self, scored: ScoredDataset) -> Flags:
        wanted = {key.image for key in self.images if key.dataset == scored.name}
        return np.fromiter((name in wanted for name in scored.dataset.images), np.bool_)
