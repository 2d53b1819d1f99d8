"""How far the humans agree in their answers."""

from collections.abc import Sequence

import numpy as np

from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.agreement import Agreement, Judgements, agreement


def human_agreement(datasets: Sequence[ScoredDataset]) -> Agreement:
    """Over the answers to all images of the bases."""
    units, raters, values, before = [], [], [], 0
    for scored in datasets:
        labels = scored.marks.labels[: scored.marks.humans]
        people, images = np.nonzero(scored.marks.answered[: len(labels)] & scored.facts.base)
        units.append(images + before)
        raters.append(people)
        values.append(labels[people, images])
        before += len(scored.dataset.images)
    empty = np.empty(0, np.int64)
    return agreement(
        Judgements(*(np.concatenate([empty, *p]).astype(np.int64) for p in (units, raters, values)))
    )
