"""Images that everyone got wrong, and those on which the best human and best model differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.statistics.arrays import Flags
from labeler.core.study.entities import ImageKey


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionMatrix:
    """How often images of one superclass (rows) were answered with another (columns)."""

    participant: str
    superclasses: tuple[str, ...]
    keys: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def confusion_matrix(datasets: Sequence[ScoredDataset], participant: str) -> ConfusionMatrix | None:
    """Count over the evaluated images; None if the superclasses don't partition the classes."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AllWrongImages:
    """Images that everyone of a kind who answered got wrong; `metric` decides what is right.

    `only_models` are wrong for all models and right for all humans.
    """

    metric: Metric
    humans: tuple[ImageKey, ...]
    models: tuple[ImageKey, ...]
    both: tuple[ImageKey, ...]
    only_models: tuple[ImageKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPairDifferences:
    """Images that either the best human or the best model got right, but not both."""

    human: str
    model: str
    only_human: tuple[ImageKey, ...]
    only_model: tuple[ImageKey, ...]


def image_metric(datasets: Sequence[ScoredDataset]) -> Metric:
    """Return multi-label accuracy if any image was judged, otherwise top-1."""
    judged = any((s.facts.judged & s.members_of()).any() for s in datasets)
    return Metric.MULTI_LABEL if judged else Metric.TOP1


def all_wrong(datasets: Sequence[ScoredDataset]) -> AllWrongImages:
    metric = image_metric(datasets)
    humans: list[ImageKey] = []
    models: list[ImageKey] = []
    both: list[ImageKey] = []
    only_models: list[ImageKey] = []
    for scored in datasets:
        counts = scored.counted(metric) & scored.members_of()
        right, first_model = scored.right(metric) & counts, scored.marks.humans
        by_humans = _all_wrong_flags(right[:first_model], counts[:first_model])
        by_models = _all_wrong_flags(right[first_model:], counts[first_model:])
        humans += _keys(scored, by_humans)
        models += _keys(scored, by_models)
        both += _keys(scored, by_humans & by_models)
        all_humans_right = _all_right_flags(right[:first_model], counts[:first_model])
        only_models += _keys(scored, by_models & all_humans_right)
    return AllWrongImages(
        metric=metric,
        humans=tuple(humans),
        models=tuple(models),
        both=tuple(both),
        only_models=tuple(only_models),
    )


def best_pair_differences(datasets: Sequence[ScoredDataset]) -> BestPairDifferences | None:
    """Compare the best human with the best model over all datasets; None without one of each."""
    metric = image_metric(datasets)
    if not datasets:
        return None
    names, humans = datasets[0].study.participants, datasets[0].marks.humans
    correct, total = np.zeros(len(names)), np.zeros(len(names))
    for scored in datasets:
        counts = scored.counted(metric) & scored.members_of()
        correct += np.count_nonzero(counts & scored.right(metric), axis=1)
        total += np.count_nonzero(counts, axis=1)
    if not total[:humans].any() or not total[humans:].any():
        return None
    # A participant who answered only a few images can't be the best.
    share = np.where(total >= total.max() / 2, correct / np.maximum(total, 1), -1.0)
    if share[:humans].max() < 0 or share[humans:].max() < 0:
        return None
    human, model = int(share[:humans].argmax()), humans + int(share[humans:].argmax())
    only_human: list[ImageKey] = []
    only_model: list[ImageKey] = []
    for scored in datasets:
        counts = scored.counted(metric) & scored.members_of()
        right, both = scored.right(metric), counts[human] & counts[model]
        only_human += _keys(scored, both & right[human] & ~right[model])
        only_model += _keys(scored, both & ~right[human] & right[model])
    return BestPairDifferences(
        human=names[human],
        model=names[model],
        only_human=tuple(only_human),
        only_model=tuple(only_model),
    )


def _all_wrong_flags(right: Flags, counts: Flags) -> Flags:
    return np.asarray(counts.any(axis=0) & ~right.any(axis=0))


def _all_right_flags(right: Flags, counts: Flags) -> Flags:
    return np.asarray(counts.any(axis=0) & (right == counts).all(axis=0))


def _keys(scored: ScoredDataset, flags: Flags) -> list[ImageKey]:
    names = scored.dataset.images
    return [ImageKey(scored.name, names[position]) for position in np.flatnonzero(flags).tolist()]
