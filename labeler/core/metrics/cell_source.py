"""Where a table cell or a mark in a figure comes from: which images, and whose answers.

A number and its source are built together. The images are those of the subsets for which all
conditions hold, so that everything that is counted can also be listed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

import numpy as np

from labeler.core.metrics.answer_marks import UNJUDGED
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_TIME
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ImageKey


class ImageCondition(Protocol):
    """A condition that holds for some images of a dataset."""

    def holds(self, scored: ScoredDataset) -> Flags: ...


@dataclass(frozen=True, slots=True)
class ParticipantMetric:
    """A participant's answers, and the metric by which they are right or wrong."""

    participant: str
    metric: Metric
    convention: Convention = Convention.POOLED


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSource:
    """A selection of evaluation images; without subsets, all images of the datasets.

    `markings` are shown with each image. With `everything`, images outside the evaluation sample
    are included. `remarks` belong to single images.
    """

    heading: str
    words: str
    datasets: tuple[str, ...]
    subsets: tuple[str, ...] = (ALL,)
    conditions: tuple[ImageCondition, ...] = ()
    markings: tuple[ParticipantMetric, ...] = ()
    everything: bool = False
    remarks: Mapping[ImageKey, str] = field(default_factory=dict, compare=False, repr=False)

    def also(self, words: str, *conditions: ImageCondition) -> "EvaluationSource":
        """Return a source with the images for which further conditions hold."""
        return replace(self, words=words, conditions=(*self.conditions, *conditions))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDaySource:
    """A labeler's training answers on one day; the images are outside every evaluation."""

    heading: str
    words: str
    participant: str
    day: str


CellSource = EvaluationSource | TrainingDaySource


def matching_images(source: EvaluationSource, scored: ScoredDataset) -> Flags:
    """Return which images of the dataset match; the dataset provides the subsets."""
    if scored.name not in source.datasets:
        return np.zeros(len(scored.dataset.images), np.bool_)
    found = np.ones(len(scored.dataset.images), np.bool_)
    if source.subsets:
        found = np.logical_or.reduce([scored.members_of(key) for key in source.subsets])
    for condition in source.conditions:
        found = found & condition.holds(scored)
    return np.asarray(found)


def participant_row(scored: ScoredDataset, participant: str) -> int:
    return scored.study.participants.index(participant)


def participant_rows(scored: ScoredDataset, markings: Iterable[ParticipantMetric]) -> list[int]:
    rows = {code: row for row, code in enumerate(scored.study.participants)}
    return [rows[marking.participant] for marking in markings]


@dataclass(frozen=True, slots=True)
class CountedForAny:
    """Images in the denominator of at least one of the markings."""

    markings: tuple[ParticipantMetric, ...]

    def holds(self, scored: ScoredDataset) -> Flags:
        found = np.zeros(len(scored.dataset.images), np.bool_)
        for metric in dict.fromkeys(marking.metric for marking in self.markings):
            own = [marking for marking in self.markings if marking.metric is metric]
            found |= scored.counted(metric)[participant_rows(scored, own)].any(axis=0)
        return found


@dataclass(frozen=True, slots=True)
class CountedForAll:
    """Images in the denominator of all markings: everyone answered them."""

    markings: tuple[ParticipantMetric, ...]

    def holds(self, scored: ScoredDataset) -> Flags:
        found = np.ones(len(scored.dataset.images), np.bool_)
        for marking in self.markings:
            found &= scored.counted(marking.metric)[participant_row(scored, marking.participant)]
        return found


@dataclass(frozen=True, slots=True)
class AnswerCorrectness:
    """Images that the participant answered right, or wrong."""

    marking: ParticipantMetric
    right: bool

    def holds(self, scored: ScoredDataset) -> Flags:
        found = scored.right(self.marking.metric, self.marking.convention)
        return np.asarray(found[participant_row(scored, self.marking.participant)] == self.right)


@dataclass(frozen=True, slots=True)
class AnsweredByAny:
    """Images that at least `fewest` of the participants answered, judged or not."""

    participants: tuple[str, ...]
    fewest: int = 1

    def holds(self, scored: ScoredDataset) -> Flags:
        rows = [participant_row(scored, code) for code in self.participants]
        return np.asarray(np.count_nonzero(scored.marks.answered[rows], axis=0) >= self.fewest)


@dataclass(frozen=True, slots=True)
class EscapeHatchUsed:
    participant: str

    def holds(self, scored: ScoredDataset) -> Flags:
        return np.asarray(scored.marks.hatches[participant_row(scored, self.participant)])


@dataclass(frozen=True, slots=True)
class AnswerNotJudged:
    """Images whose label wasn't judged; with `alternative`, the alternative of an escape hatch."""

    participant: str
    alternative: bool = False

    def holds(self, scored: ScoredDataset) -> Flags:
        row = participant_row(scored, self.participant)
        if not self.alternative:
            return np.asarray(scored.marks.states[row] == UNJUDGED)
        if row >= scored.marks.humans:
            return np.zeros(len(scored.dataset.images), np.bool_)
        return np.asarray(scored.marks.hatches[row] & (scored.marks.imputed[row] == UNJUDGED))


@dataclass(frozen=True, slots=True)
class ImageSeenBefore:
    """Images that the participant had, or had not, seen before the evaluation was locked."""

    participant: str
    before: bool

    def holds(self, scored: ScoredDataset) -> Flags:
        seen = scored.dataset.seen_before
        if seen is None:
            return np.full(len(scored.dataset.images), not self.before)
        return np.asarray(seen[participant_row(scored, self.participant)] == self.before)


@dataclass(frozen=True, slots=True)
class AnsweredWithConfidence:
    """Images in the denominator of a human who answered with this step of confidence."""

    markings: tuple[ParticipantMetric, ...]
    confidence: int

    def holds(self, scored: ScoredDataset) -> Flags:
        found = np.zeros(len(scored.dataset.images), np.bool_)
        given = scored.dataset.confidence
        if given is not None:
            for marking in self.markings:
                row = participant_row(scored, marking.participant)
                found |= scored.counted(marking.metric)[row] & (given[row] == self.confidence)
        return found


@dataclass(frozen=True, slots=True)
class ProbabilityBetween:
    """Images whose first guess of the model has a probability in a range; `up_to` is included."""

    model: str
    above: float
    up_to: float

    def holds(self, scored: ScoredDataset) -> Flags:
        row = participant_row(scored, self.model) - scored.marks.humans
        scores = scored.dataset.model_scores[row]
        if scores is None:
            return np.zeros(len(scored.dataset.images), np.bool_)
        above = scores > self.above if self.above else scores >= 0
        return np.asarray(above & (scores <= self.up_to))


@dataclass(frozen=True, slots=True)
class MedianTimeBetween:
    """Images by the humans' median active time in seconds; `up_to` is included."""

    above: float
    up_to: float | None

    def holds(self, scored: ScoredDataset) -> Flags:
        seconds = scored.facts.seconds
        long_enough = seconds > self.above if self.above else seconds >= 0
        return np.asarray(long_enough & (seconds <= (np.inf if self.up_to is None else self.up_to)))


@dataclass(frozen=True, slots=True)
class ActiveTimeKnown:
    """Images with a known active time of the participant."""

    participant: str

    def holds(self, scored: ScoredDataset) -> Flags:
        return np.asarray(
            scored.dataset.active_ms[participant_row(scored, self.participant)] != NO_TIME
        )


@dataclass(frozen=True, slots=True)
class SuperclassConfused:
    """Images of one superclass answered with another or the same one, both by subset key."""

    participant: str
    target: str
    answer: str

    def holds(self, scored: ScoredDataset) -> Flags:
        classes = {subset.key: subset.classes for subset in scored.subsets}
        target, answer = classes[self.target], classes[self.answer]
        assert target is not None, "superclasses are defined by class"
        assert answer is not None, "superclasses are defined by class"
        row = participant_row(scored, self.participant)
        labels, answered = scored.marks.labels[row], scored.marks.answered[row]
        return np.asarray(target[scored.dataset.targets] & answered & answer[labels])


class ImageStatus(Enum):
    """The categories in which the images of a dataset are counted."""

    BASE = "in the base"
    EVALUATED = "evaluated"
    PROBLEMATIC = "problematic"
    WITHOUT_CORRECT_LABEL = "judged with no label correct"
    UNJUDGED = "evaluated, and not judged"
    SEVERAL_LABELS = "evaluated, with several correct labels"


_STATUS_FLAGS: Mapping[ImageStatus, Callable[[ScoredDataset], Flags]] = {
    ImageStatus.BASE: lambda s: s.facts.base,
    ImageStatus.EVALUATED: lambda s: s.facts.evaluated,
    ImageStatus.PROBLEMATIC: lambda s: s.facts.base & s.facts.problematic,
    ImageStatus.WITHOUT_CORRECT_LABEL: lambda s: (
        s.facts.base & ~s.facts.problematic & s.facts.without_correct_label
    ),
    ImageStatus.UNJUDGED: lambda s: s.facts.evaluated & ~s.facts.judged,
    ImageStatus.SEVERAL_LABELS: lambda s: s.facts.evaluated & (s.facts.correct_labels > 1),
}
assert set(_STATUS_FLAGS) == set(ImageStatus), "every status has a rule"


@dataclass(frozen=True, slots=True)
class HasImageStatus:
    sort: ImageStatus

    def holds(self, scored: ScoredDataset) -> Flags:
        return _STATUS_FLAGS[self.sort](scored)


@dataclass(frozen=True, slots=True, eq=False)
class ImageListed:
    """Images from an explicit list."""

    images: frozenset[ImageKey]

    def holds(self, scored: ScoredDataset) -> Flags:
        names = {key.image for key in self.images if key.dataset == scored.name}
        return np.fromiter((name in names for name in scored.dataset.images), np.bool_)
