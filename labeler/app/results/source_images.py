"""The images behind a cell or a mark: which, in which order, and what was answered to each.

Forty thousand images may stand behind one number: they are sorted as arrays, and an image is put
into words when someone comes to see it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from labeler.app.results.image_index import ImageIndex
from labeler.core.metrics.cell_source import (
    CellSource,
    EvaluationSource,
    ParticipantMetric,
    TrainingDaySource,
    matching_images,
    participant_rows,
)
from labeler.core.metrics.definitions import Convention, Metric, Outcome
from labeler.core.metrics.report_contents import TrainedImage
from labeler.core.metrics.scored_dataset import ScoredDataset, score_dataset
from labeler.core.metrics.study_answers import NO_LABEL
from labeler.core.metrics.subsets import Subset
from labeler.core.statistics.arrays import Counts, Reals
from labeler.core.study.entities import ImageKey


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer: the class, what was judged of it, and what it counts as by which metric."""

    participant: str
    metric: Metric
    answer: str
    judged: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image, and the answers to it that the number is about."""

    number: int
    key: ImageKey
    target: str
    is_judged: bool
    accepted: tuple[str, ...]
    answers: tuple[GivenAnswer, ...]
    remark: str = ""


class SourceImageList(Sequence[SourceImage]):
    """Images by number, each told when it is asked for; `correct` are the correct answers."""

    def __init__(
        self, numbers: Sequence[int], make: Callable[[int], SourceImage], *, correct: int
    ) -> None:
        self.numbers, self._make = tuple(numbers), make
        self.correct = correct

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> SourceImage: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[SourceImage]: ...

    def __getitem__(self, index: int | slice) -> SourceImage | Sequence[SourceImage]:
        if isinstance(index, slice):
            return tuple(map(self._make, self.numbers[index]))
        return self._make(self.numbers[index])


def find_source_images(
    index: ImageIndex, subsets: Mapping[str, Subset], source: CellSource
) -> SourceImageList:
    """Every image, those with the most wrong answers first."""
    if isinstance(source, TrainingDaySource):
        return _trained(index, source)
    listing = _Listing(index, source)
    for start, scored in index.datasets:
        if scored.name in source.datasets:
            listing.add(start, _scored_images(index, scored, subsets, source))
    return listing.finished()


def _scored_images(
    index: ImageIndex,
    scored: ScoredDataset,
    subsets: Mapping[str, Subset],
    source: EvaluationSource,
) -> ScoredDataset:
    """The dataset scored over the subsets asked for, known to the report or not."""
    further = tuple(subsets[key] for key in source.subsets if key not in scored.subset_keys)
    if not (further or source.everything):
        return scored
    return score_dataset(
        scored.study,
        scored.dataset,
        (*scored.subsets, *further),
        fast_seconds=index.contents.numbers.settings.fast_seconds,
        marks=scored.marks,
        everything=source.everything,
    )


class _Listing:
    """Collects the images of the datasets, then puts them in their order."""

    def __init__(self, index: ImageIndex, source: EvaluationSource) -> None:
        self._index, self._source = index, source
        self._numbers: list[Counts] = [np.empty(0, np.int64)]
        self._shares: list[Reals] = [np.empty(0)]
        self._correct = 0

    def add(self, start: int, scored: ScoredDataset) -> None:
        places = np.flatnonzero(matching_images(self._source, scored))
        correct, counted = np.zeros(len(places)), np.zeros(len(places))
        for (metric, convention), rows in _by_metric(scored, self._source.markings).items():
            counts = scored.counted(metric)[rows][:, places]
            right = scored.right(metric, convention)[rows][:, places] & counts
            correct += np.count_nonzero(right, axis=0)
            counted += np.count_nonzero(counts, axis=0)
        self._numbers.append(start + places)
        self._shares.append(np.where(counted > 0, correct / np.maximum(counted, 1), np.inf))
        self._correct += int(correct.sum())

    def finished(self) -> SourceImageList:
        numbers, shares = np.concatenate(self._numbers), np.concatenate(self._shares)
        order = np.lexsort((numbers, shares))
        return SourceImageList(numbers[order].tolist(), self._source_image, correct=self._correct)

    def _source_image(self, number: int) -> SourceImage:
        scored, place = self._index.found(number)
        answers = _Answers(self._index, scored, place)
        key = ImageKey(scored.name, scored.dataset.images[place])
        return SourceImage(
            number=number,
            key=key,
            target=self._index.named(int(scored.dataset.targets[place])),
            is_judged=bool(scored.facts.judged[place]),
            accepted=self._index.accepted(number),
            answers=tuple(map(answers.given, self._source.markings)),
            remark=self._source.remarks.get(key, ""),
        )


class _Answers:
    """Everyone's answers to one image."""

    def __init__(self, index: ImageIndex, scored: ScoredDataset, place: int) -> None:
        self._index, self._scored, self._place = index, scored, place
        self._marks = scored.marks.of_image(place)

    def given(self, marking: ParticipantMetric) -> GivenAnswer:
        row = self._index.row_of(marking.participant)
        imputed = marking.metric is Metric.MULTI_LABEL_IMPUTED
        states = self._marks.imputed if imputed else self._marks.states
        label = self._meant(row, imputed=imputed)
        return GivenAnswer(
            participant=marking.participant,
            metric=marking.metric,
            answer="" if label == NO_LABEL else self._index.named(label),
            judged=self._index.verdict(int(states[row, 0])),
            outcome=self._outcome(row, marking),
        )

    def _meant(self, row: int, *, imputed: bool) -> int:
        """The answer, or in the place of an escape hatch its alternative."""
        marks = self._marks
        if imputed and row < marks.humans and marks.hatches[row, 0]:
            return int(self._scored.dataset.alternatives[row, self._place])
        return int(marks.labels[row, 0])

    def _outcome(self, row: int, marking: ParticipantMetric) -> Outcome:
        marks, metric = self._marks, marking.metric
        if not marks.answered[row, 0]:
            return Outcome.NO_ANSWER
        judged = bool(self._scored.facts.judged[self._place]) or not metric.needs_labels
        if not judged or not marks.has(metric)[row]:
            return Outcome.NOT_COUNTED
        unclear = marking.convention.accepts_unclear
        right = bool(marks.correct(metric, unclear_counts=unclear)[row, 0])
        return Outcome.CORRECT if right else Outcome.WRONG


def _by_metric(
    scored: ScoredDataset, markings: Sequence[ParticipantMetric]
) -> dict[tuple[Metric, Convention], list[int]]:
    found: dict[tuple[Metric, Convention], list[int]] = {}
    for marking, row in zip(markings, participant_rows(scored, markings), strict=True):
        found.setdefault((marking.metric, marking.convention), []).append(row)
    return found


def _trained(index: ImageIndex, day: TrainingDaySource) -> SourceImageList:
    """The day's answers, the wrong ones first; an image may have been met twice."""
    own = [
        (number, answer)
        for number, answer in index.trained
        if (answer.participant, answer.day) == (day.participant, day.day)
    ]
    own.sort(key=lambda one: one[1].right)
    by_number: dict[int, list[TrainedImage]] = {}
    for number, answer in own:
        by_number.setdefault(number, []).append(answer)
    return SourceImageList(
        list(by_number),
        lambda number: _trained_image(index, number, by_number[number]),
        correct=sum(answer.right for _number, answer in own),
    )


def _trained_image(index: ImageIndex, number: int, answers: Sequence[TrainedImage]) -> SourceImage:
    first = answers[0]
    return SourceImage(
        number=number,
        key=first.image,
        target=index.named(first.target),
        is_judged=True,
        accepted=index.accepted(number),
        answers=tuple(
            GivenAnswer(
                participant=answer.participant,
                metric=Metric.MULTI_LABEL,
                answer=index.named(answer.label),
                judged="",
                outcome=Outcome.CORRECT if answer.right else Outcome.WRONG,
            )
            for answer in answers
        ),
    )
