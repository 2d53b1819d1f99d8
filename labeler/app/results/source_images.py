"""The images of a cell or mark: which, in which order, and their answers.

A number can represent forty thousand images: they are sorted as arrays, and descriptions are built
on demand.
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
    """An answer: the class, its verdict, and how it counts by a metric."""

    participant: str
    metric: Metric
    answer: str
    judged: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image, and the answers that the number counts."""

    number: int
    key: ImageKey
    target: str
    is_judged: bool
    accepted: tuple[str, ...]
    answers: tuple[GivenAnswer, ...]
    remark: str = ""


class SourceImageList(Sequence[SourceImage]):
    """Images by number, built on demand; `correct` is the number of correct answers."""

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
    """Return the images of a source, those with the most wrong answers first."""
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
    """Return the dataset scored over the requested subsets, in the report or not."""
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
    """Collects the images of the datasets and sorts them."""

    def __init__(self, index: ImageIndex, source: EvaluationSource) -> None:
        self._index, self._source = index, source
        self._numbers: list[Counts] = [np.empty(0, np.int64)]
        self._shares: list[Reals] = [np.empty(0)]
        self._correct = 0

    def add(self, start: int, scored: ScoredDataset) -> None:
        positions = np.flatnonzero(matching_images(self._source, scored))
        correct, counted = np.zeros(len(positions)), np.zeros(len(positions))
        for (metric, convention), rows in _by_metric(scored, self._source.markings).items():
            counts = scored.counted(metric)[rows][:, positions]
            right = scored.right(metric, convention)[rows][:, positions] & counts
            correct += np.count_nonzero(right, axis=0)
            counted += np.count_nonzero(counts, axis=0)
        self._numbers.append(start + positions)
        self._shares.append(np.where(counted > 0, correct / np.maximum(counted, 1), np.inf))
        self._correct += int(correct.sum())

    def finished(self) -> SourceImageList:
        numbers, shares = np.concatenate(self._numbers), np.concatenate(self._shares)
        order = np.lexsort((numbers, shares))
        return SourceImageList(numbers[order].tolist(), self._source_image, correct=self._correct)

    def _source_image(self, number: int) -> SourceImage:
        scored, position = self._index.found(number)
        answers = _Answers(self._index, scored, position)
        key = ImageKey(scored.name, scored.dataset.images[position])
        return SourceImage(
            number=number,
            key=key,
            target=self._index.class_name(int(scored.dataset.targets[position])),
            is_judged=bool(scored.facts.judged[position]),
            accepted=self._index.accepted(number),
            answers=tuple(map(answers.given, self._source.markings)),
            remark=self._source.remarks.get(key, ""),
        )


class _Answers:
    """The answers to one image."""

    def __init__(self, index: ImageIndex, scored: ScoredDataset, position: int) -> None:
        self._index, self._scored, self._position = index, scored, position
        self._marks = scored.marks.of_image(position)

    def given(self, marking: ParticipantMetric) -> GivenAnswer:
        row = self._index.row_of(marking.participant)
        imputed = marking.metric is Metric.MULTI_LABEL_IMPUTED
        states = self._marks.imputed if imputed else self._marks.states
        label = self._effective_label(row, imputed=imputed)
        return GivenAnswer(
            participant=marking.participant,
            metric=marking.metric,
            answer="" if label == NO_LABEL else self._index.class_name(label),
            judged=self._index.verdict(int(states[row, 0])),
            outcome=self._outcome(row, marking),
        )

    def _effective_label(self, row: int, *, imputed: bool) -> int:
        """Return the answer, or the alternative of an escape hatch."""
        marks = self._marks
        if imputed and row < marks.humans and marks.hatches[row, 0]:
            return int(self._scored.dataset.alternatives[row, self._position])
        return int(marks.labels[row, 0])

    def _outcome(self, row: int, marking: ParticipantMetric) -> Outcome:
        marks, metric = self._marks, marking.metric
        if not marks.answered[row, 0]:
            return Outcome.NO_ANSWER
        judged = bool(self._scored.facts.judged[self._position]) or not metric.needs_labels
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
    """Return the day's answers, wrong ones first; an image may occur twice."""
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
        target=index.class_name(first.target),
        is_judged=True,
        accepted=index.accepted(number),
        answers=tuple(
            GivenAnswer(
                participant=answer.participant,
                metric=Metric.MULTI_LABEL,
                answer=index.class_name(answer.label),
                judged="",
                outcome=Outcome.CORRECT if answer.right else Outcome.WRONG,
            )
            for answer in answers
        ),
    )
