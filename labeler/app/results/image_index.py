"""All images of the results by number: first the evaluation images, then the training images."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labeler.core.metrics.answer_marks import UNJUDGED
from labeler.core.metrics.report_contents import ReportContents, TrainedImage
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_LABEL
from labeler.core.review.verdict_table import VERDICT_CODES, VERDICT_ORDER
from labeler.core.statistics.arrays import Counts
from labeler.core.study.entities import ImageKey, ParticipantKind, Verdict

NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class ParticipantAnswer:
    """A participant's answer: the class, its verdict, and whether it is the target."""

    participant: str
    kind: ParticipantKind
    answer: str
    judged: str
    is_target: bool
    alternative: str


class ImageIndex:
    """Looks up names and answers of an image directly."""

    def __init__(self, contents: ReportContents) -> None:
        self.contents = contents
        numbers = contents.numbers
        sizes = [len(scored.dataset.images) for scored in numbers.scored]
        starts = np.cumsum([0, *sizes]).tolist()
        self.datasets = tuple(zip(starts[:-1], numbers.scored, strict=True))
        self._first_trained = starts[-1]
        self._rows = {code: row for row, code in enumerate(numbers.study.participants)}

    def row_of(self, participant: str) -> int:
        return self._rows[participant]

    def class_name(self, index: int) -> str:
        """Return the name of a class by index."""
        return self._wnid_name(self.contents.numbers.study.wnids[index])

    def verdict(self, state: int) -> str:
        return NOT_JUDGED if state == UNJUDGED else str(VERDICT_ORDER[state])

    def found(self, number: int) -> tuple[ScoredDataset, int]:
        """Return the evaluation dataset of an image, and its position there."""
        start, scored = next(one for one in reversed(self.datasets) if one[0] <= number)
        return scored, number - start

    def key_of(self, number: int) -> ImageKey | None:
        """Return the image with this number, or None."""
        if number >= self._first_trained:
            trained = number - self._first_trained
            return self._trained_keys[trained] if trained < len(self._trained_keys) else None
        scored, position = self.found(number)
        return ImageKey(scored.name, scored.dataset.images[position])

    def accepted(self, number: int) -> tuple[str, ...]:
        """Return the names of the labels judged correct."""
        if number >= self._first_trained:
            first = next(answer for known, answer in self.trained if known == number)
            return tuple(map(self._wnid_name, first.accepted))
        scored, position = self.found(number)
        images, classes = self._correct[scored.name]
        first, last = np.searchsorted(images, (position, position + 1)).tolist()
        return tuple(map(self.class_name, classes[first:last].tolist()))

    def answers_to_image(self, number: int) -> tuple[ParticipantAnswer, ...]:
        """Return everyone's answer to the image; participants without one are left out."""
        if number >= self._first_trained:
            return tuple(self._training_answers(number))
        return tuple(self._evaluation_answers(*self.found(number)))

    @cached_property
    def trained(self) -> tuple[tuple[int, TrainedImage], ...]:
        """All training answers, with their image's number."""
        numbers = {key: n for n, key in enumerate(self._trained_keys, start=self._first_trained)}
        return tuple((numbers[answer.image], answer) for answer in self.contents.trained)

    @cached_property
    def _trained_keys(self) -> tuple[ImageKey, ...]:
        return tuple(dict.fromkeys(answer.image for answer in self.contents.trained))

    @cached_property
    def _correct(self) -> dict[str, tuple[Counts, Counts]]:
        """The labels judged correct by dataset, sorted by image."""
        found = {}
        for _start, scored in self.datasets:
            judged = scored.dataset.judged
            correct = np.flatnonzero(judged.states == VERDICT_CODES[Verdict.CORRECT])
            order = correct[np.lexsort((judged.classes[correct], judged.images[correct]))]
            found[scored.name] = judged.images[order], judged.classes[order]
        return found

    def _evaluation_answers(
        self, scored: ScoredDataset, position: int
    ) -> Iterator[ParticipantAnswer]:
        marks, target = scored.marks, int(scored.dataset.targets[position])
        for row, code in enumerate(scored.study.participants):
            label = int(marks.labels[row, position])
            if label != NO_LABEL:
                human = row < marks.humans
                hatch = int(scored.dataset.alternatives[row, position]) if human else NO_LABEL
                yield ParticipantAnswer(
                    participant=code,
                    kind=ParticipantKind.HUMAN if human else ParticipantKind.MODEL,
                    answer=self.class_name(label),
                    judged=self.verdict(int(marks.states[row, position])),
                    is_target=label == target,
                    alternative="" if hatch == NO_LABEL else self.class_name(hatch),
                )

    def _training_answers(self, number: int) -> Iterator[ParticipantAnswer]:
        for known, answer in self.trained:
            if known == number:
                yield ParticipantAnswer(
                    participant=answer.participant,
                    kind=ParticipantKind.HUMAN,
                    answer=self.class_name(answer.label),
                    judged=f"{'right' if answer.right else 'wrong'}, {answer.day}",
                    is_target=answer.label == answer.target,
                    alternative="",
                )

    def _wnid_name(self, wnid: str) -> str:
        return self.contents.class_names.get(wnid, wnid)
