"""Mark every answer of a dataset as right or wrong by every metric, as flags."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.study_answers import NO_GUESS, NO_LABEL, DatasetAnswers, Labels
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import Verdict

States = npt.NDArray[np.int8]

UNJUDGED = -1
_NO_CLASS = -2  # differs from every label and from NO_LABEL
_TOP = 5


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Marks:
    """Flags and labels by participant, humans first, and image.

    `labels` are the answers, `states` the verdicts on them, UNJUDGED without a verdict; `imputed`
    are the states with the alternative in place of an escape hatch. `in_top5` is only valid for
    participants `with_ranks`.
    """

    humans: int
    labels: Labels
    answered: Flags
    top1: Flags
    in_top5: Flags
    with_ranks: Flags
    states: States
    imputed: States
    hatches: Flags

    def correct(self, metric: Metric, *, unclear_counts: bool = False) -> Flags:
        """Return which answers are right by the metric."""
        if metric is Metric.TOP1:
            return self.top1
        if metric is Metric.TOP5:
            return self.in_top5
        states = self.imputed if metric is Metric.MULTI_LABEL_IMPUTED else self.states
        lowest = VERDICT_CODES[Verdict.UNCLEAR if unclear_counts else Verdict.CORRECT]
        return np.asarray(states >= lowest)

    def of_image(self, position: int) -> "Marks":
        """Return the marks of a single image."""
        one = slice(position, position + 1)
        return replace(
            self,
            labels=self.labels[:, one],
            answered=self.answered[:, one],
            top1=self.top1[:, one],
            in_top5=self.in_top5[:, one],
            states=self.states[:, one],
            imputed=self.imputed[:, one],
            hatches=self.hatches[:, one],
        )

    def has(self, metric: Metric) -> Flags:
        """Return which participants have the metric."""
        if metric is Metric.TOP5:
            return self.with_ranks
        if metric is Metric.MULTI_LABEL_IMPUTED:
            return np.arange(len(self.labels)) < self.humans
        return np.ones(len(self.labels), np.bool_)


class LabelStateTable:
    """The verdicts on labels by image, looked up for whole arrays of labels."""

    def __init__(self, dataset: DatasetAnswers) -> None:
        judged, size = dataset.judged, len(dataset.images)
        order = np.argsort(judged.images, kind="stable")
        images = judged.images[order]
        counts = np.bincount(images, minlength=size)
        # An image has only a few judged labels, so comparing all answers with the first judged
        # label of every image, then the second, and so on, is faster than any search.
        slot = np.arange(len(images)) - (np.cumsum(counts) - counts)[images]
        shape = int(counts.max(initial=0)), size
        self._classes = np.full(shape, _NO_CLASS, np.int32)
        self._above = np.zeros(shape, np.int8)
        self._classes[slot, images] = judged.classes[order]
        self._above[slot, images] = judged.states[order] - UNJUDGED

    def of(self, labels: Labels) -> States:
        """Return the state of each image's label; UNJUDGED where there is no label."""
        states = np.full(labels.shape, UNJUDGED, np.int8)
        for classes, above in zip(self._classes, self._above, strict=True):
            # The judged labels of an image are distinct, so at most one of them matches.
            states += (labels == classes).view(np.int8) * above
        return states


def mark_answers(dataset: DatasetAnswers, *, with_ranks: Flags) -> Marks:
    """Mark every answer of the dataset; `with_ranks` flags the participants with a top-5."""
    first = _first_guesses(dataset)
    labels = np.concatenate([dataset.human_labels, first])
    table = LabelStateTable(dataset)
    states = np.array([table.of(row) for row in labels], np.int8).reshape(labels.shape)
    humans = len(dataset.human_labels)
    hatches = dataset.alternatives != NO_LABEL
    imputed = states.copy()
    for person in range(humans):
        intended = np.where(hatches[person], dataset.alternatives[person], labels[person])
        imputed[person] = table.of(intended)
    return Marks(
        humans=humans,
        labels=labels,
        answered=labels != NO_LABEL,
        top1=labels == dataset.targets,
        in_top5=_in_top5(dataset, humans),
        with_ranks=with_ranks,
        states=states,
        imputed=imputed,
        hatches=hatches,
    )


def _first_guesses(dataset: DatasetAnswers) -> Labels:
    size = len(dataset.images)
    first = np.full((len(dataset.model_guesses), size), NO_LABEL, np.int32)
    for row, guesses in zip(first, dataset.model_guesses, strict=True):
        if guesses is not None:
            np.copyto(row, guesses[:, 0], where=guesses[:, 0] != NO_GUESS)
    return first


def _in_top5(dataset: DatasetAnswers, humans: int) -> Flags:
    size = len(dataset.images)
    hits = np.zeros((humans + len(dataset.model_guesses), size), np.bool_)
    targets = dataset.targets.astype(np.uint16)
    for row, guesses in enumerate(dataset.model_guesses, start=humans):
        if guesses is not None:
            for rank in range(min(_TOP, guesses.shape[1])):
                hits[row] |= guesses[:, rank] == targets
    return hits
