"""Which superclass is taken for which, by a human and by a model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.scored_dataset import ScoredDataset


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionMatrix:
    """How often images of a superclass, in rows, were answered with one, in columns."""

    participant: str
    superclasses: tuple[str, ...]
    keys: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def confusion_matrix(datasets: Sequence[ScoredDataset], participant: str) -> ConfusionMatrix | None:
    """Over the evaluated images of all datasets; None where the superclasses don't divide them."""
    if not datasets:
        return None
    groups = [subset for subset in datasets[0].subsets if subset.is_superclass]
    flags = np.array([subset.classes for subset in groups], np.bool_)
    if not len(groups) or (flags.sum(axis=0) != 1).any():
        return None
    superclass_of, size = flags.argmax(axis=0), len(groups)
    row = datasets[0].study.participants.index(participant)
    cells = np.zeros(size * size, np.int64)
    for scored in datasets:
        counted = scored.marks.answered[row] & scored.members_of()
        targets = superclass_of[scored.dataset.targets[counted]]
        answers = superclass_of[scored.marks.labels[row][counted]]
        cells += np.bincount(targets * size + answers, minlength=size * size)
    return ConfusionMatrix(
        participant,
        tuple(subset.title for subset in groups),
        tuple(subset.key for subset in groups),
        tuple(map(tuple, cells.reshape(size, size).tolist())),
    )
