"""What a cell or a mark stands for: which images, and whose answers to them.

Whoever makes a number says it together with the number. The images are those of the subsets on
which all conditions hold, so that whatever is counted can be listed by the same words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ImageKey


class ImageCondition(Protocol):
    """Something that holds for some images of a dataset."""

    def holds(self, scored: ScoredDataset) -> Flags: ...


@dataclass(frozen=True, slots=True)
class ParticipantMetric:
    """Somebody's answers, and by what they are right or wrong."""

    participant: str
    metric: Metric
    convention: Convention = Convention.POOLED


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSource:
    """`markings` are shown with each image; without a subset it may be any of the datasets'.

    With `everything`, images beyond the evaluation sample count too. `remarks` are about single
    images.
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
        """Of these images those on which further conditions hold."""
        return replace(self, words=words, conditions=(*self.conditions, *conditions))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingDaySource:
    """What a labeler answered on one day of training, on images outside of every evaluation."""

    heading: str
    words: str
    participant: str
    day: str


CellSource = EvaluationSource | TrainingDaySource


def matching_images(behind: EvaluationSource, scored: ScoredDataset) -> Flags:
    """On which images of the dataset; the dataset knows the subsets."""
    if scored.name not in behind.datasets:
        return np.zeros(len(scored.dataset.images), np.bool_)
    found = np.ones(len(scored.dataset.images), np.bool_)
    if behind.subsets:
        found = np.logical_or.reduce([scored.members_of(key) for key in behind.subsets])
    for condition in behind.conditions:
        found = found & condition.holds(scored)
    return np.asarray(found)


def participant_row(scored: ScoredDataset, participant: str) -> int:
    return scored.study.participants.index(participant)


def participant_rows(scored: ScoredDataset, markings: Iterable[ParticipantMetric]) -> list[int]:
    places = {code: row for row, code in enumerate(scored.study.participants)}
    return [places[marking.participant] for marking in markings]
