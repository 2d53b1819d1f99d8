"""A study's answers as arrays, by image ordinal: the input of all statistics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from labeler.core.statistics.arrays import Counts, Flags

Labels = npt.NDArray[np.int32]
Guesses = npt.NDArray[np.uint16]
Scores = npt.NDArray[np.float32]

NO_LABEL = -1
NO_GUESS = 0xFFFF  # in the packed guesses of a model
NO_TIME = -1
NO_CONFIDENCE = 0


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLabels:
    """The resolved state of every judged (image, class), as a code of `VERDICT_CODES`."""

    images: Counts
    classes: Counts
    states: Counts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetAnswers:
    """The images and answers of one dataset.

    Rows are humans. `alternatives` has a label exactly where an escape hatch was used.
    `confidence` is a step from 1, or `NO_CONFIDENCE`; it is None if no one gave any.
    `model_guesses` are by image and rank, or None if the model wasn't run on the dataset;
    `model_scores` are the probabilities of the first guesses, NaN where there is none, or None.
    `judged_by_rule` is what each resolution rule makes of the verdicts. `factors` are properties
    of images that the lead imported, and the images that have them.
    """

    name: str
    images: tuple[str, ...]
    targets: Labels
    problematic: Flags
    sampled: Flags
    judged: JudgedLabels
    human_labels: Labels
    alternatives: Labels
    active_ms: Counts
    model_guesses: tuple[Guesses | None, ...]
    seen_before: Flags | None = None  # rows are humans; None if no one saw anything
    confidence: Counts | None = None
    judged_by_rule: Mapping[str, JudgedLabels] = field(default_factory=dict)
    model_scores: tuple[Scores | None, ...] = ()
    factors: Mapping[str, Flags] = field(default_factory=dict)

    @property
    def answered_by_humans(self) -> Flags:
        return np.asarray(self.human_labels != NO_LABEL)


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyAnswers:
    """The answers of a study; datasets and participants in the order they were added.

    `silent` are labelers without an answer, who only appear in the coverage.
    """

    wnids: tuple[str, ...]
    humans: tuple[str, ...]
    models: tuple[str, ...]
    datasets: tuple[DatasetAnswers, ...]
    silent: tuple[str, ...] = ()

    @cached_property
    def participants(self) -> tuple[str, ...]:
        return self.humans + self.models

    @cached_property
    def with_ranks(self) -> Flags:
        """Which participants gave more than one guess anywhere, and so have a top-5."""
        found = np.zeros(len(self.participants), np.bool_)
        for dataset in self.datasets:
            for row, guesses in enumerate(dataset.model_guesses, start=len(self.humans)):
                if guesses is not None:
                    found[row] |= (guesses[:, 1:] != NO_GUESS).any()
        return found
