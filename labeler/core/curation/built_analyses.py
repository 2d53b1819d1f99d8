"""Models on built datasets: accuracy, gap and ranks, fits, and the difficulty of two datasets."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from labeler.core.crowd.analysis.annotations import AnnotatedDataset, predicted
from labeler.core.crowd.analysis.label_analyses import BinAccuracy, TargetFrequency
from labeler.core.statistics.linear_fit import RegressionLine, least_squares
from labeler.core.statistics.proportions import probits


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCount:
    """A model's right answers of all on one dataset."""

    participant: str
    dataset: str
    correct: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    """A model on the original and on a built dataset; rank 1 is the best."""

    participant: str
    dataset_original: str
    dataset_new: str
    accuracy_original: float
    accuracy_new: float
    gap: float
    rank_original: int
    rank_new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltComparison:
    """All models on a pair of datasets: the mean change, and lines on both scales.

    `built` and `revision` say which revision the new dataset is. The lines are None with fewer
    than two different models.
    """

    dataset_original: str
    dataset_new: str
    built: str | None
    revision: int | None
    models: int
    mean_change: float
    linear_slope: float | None
    linear_intercept: float | None
    probit_slope: float | None
    probit_intercept: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyModel:
    """How much harder a dataset is, if a model's skill s gives Φ⁻¹(accuracy) = (s − μ)/√(σ² + 1).

    Between two datasets this is a line with slope u and offset v. With σ = 1 and μ = 0 for the
    original one, σ and μ of the new one follow, unless no σ fits the slope (None).
    """

    dataset_original: str
    dataset_new: str
    u: float
    v: float
    sigma_new: float | None
    mu_new: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDifficulty:
    """A class: how often its images are selected, and how often models are right on them."""

    dataset: str
    label: str
    images: int
    mean_frequency: float
    correct: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationNumbers:
    """The analyses of built datasets; empty without any."""

    frequencies: tuple[TargetFrequency, ...] = ()
    accuracy_by_bin: tuple[BinAccuracy, ...] = ()
    class_difficulties: tuple[ClassDifficulty, ...] = ()
    changes: tuple[ModelChange, ...] = ()
    comparisons: tuple[BuiltComparison, ...] = ()
    difficulty_models: tuple[DifficultyModel, ...] = ()


def difficulty_model(original: str, new: str, *, u: float, v: float) -> DifficultyModel:
    """Return the difficulty of the new dataset from the probit line between the two."""
    squared = 2.0 / (u * u) - 1.0 if u > 0 else -1.0
    defined = squared >= 0
    return DifficultyModel(
        dataset_original=original,
        dataset_new=new,
        u=u,
        v=v,
        sigma_new=sqrt(squared) if defined else None,
        mu_new=-v * sqrt(2.0) / u if defined else None,
    )


def model_changes(
    counts: Iterable[ModelCount], *, original: str, new: str
) -> tuple[ModelChange, ...]:
    """Return the models with answers on both datasets, the best on the original first."""
    found: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for each in counts:
        if each.total and each.dataset in (original, new):
            found[each.participant][each.dataset] = Fraction(each.correct, each.total)
    both = {name: on for name, on in found.items() if len(on) == len({original, new})}
    ranks = {
        place: _ranks({name: on[place] for name, on in both.items()}) for place in (original, new)
    }
    changes = [
        ModelChange(
            participant=name,
            dataset_original=original,
            dataset_new=new,
            accuracy_original=float(on[original]),
            accuracy_new=float(on[new]),
            gap=float(on[original] - on[new]),
            rank_original=ranks[original][name],
            rank_new=ranks[new][name],
        )
        for name, on in both.items()
    ]
    return tuple(sorted(changes, key=lambda each: (each.rank_original, each.participant)))


def _ranks(accuracies: Mapping[str, Fraction]) -> dict[str, int]:
    """Return the rank of each model; equal accuracies have equal ranks."""
    return {
        name: 1 + sum(other > value for other in accuracies.values())
        for name, value in accuracies.items()
    }


def compare_on_models(
    counts: Sequence[ModelCount],
    *,
    original: str,
    new: str,
    built: str | None = None,
    revision: int | None = None,
) -> BuiltComparison | None:
    """Compare two datasets over all models that answered both, or return None without any."""
    on = {
        place: {each.participant: each for each in counts if each.dataset == place and each.total}
        for place in (original, new)
    }
    names = sorted(on[original].keys() & on[new].keys())
    if not names or original == new:
        return None
    before, after = ([on[place][name] for name in names] for place in (original, new))
    shares = [np.array([each.correct / each.total for each in part]) for part in (before, after)]
    scaled = [
        probits([each.correct for each in part], [each.total for each in part])
        for part in (before, after)
    ]
    linear, probit = _line(*shares), _line(*scaled)
    return BuiltComparison(
        dataset_original=original,
        dataset_new=new,
        built=built,
        revision=revision,
        models=len(names),
        mean_change=float(np.mean(shares[1] - shares[0])),
        linear_slope=None if linear is None else linear.slope,
        linear_intercept=None if linear is None else linear.intercept,
        probit_slope=None if probit is None else probit.slope,
        probit_intercept=None if probit is None else probit.intercept,
    )


def _line(x: np.ndarray, y: np.ndarray) -> RegressionLine | None:
    return least_squares(x, y) if len(x) > 1 else None


def difficulty_models(comparisons: Iterable[BuiltComparison]) -> tuple[DifficultyModel, ...]:
    """Return the difficulty model of every pair with a probit line."""
    return tuple(
        difficulty_model(
            each.dataset_original,
            each.dataset_new,
            u=each.probit_slope,
            v=each.probit_intercept,
        )
        for each in comparisons
        if each.probit_slope is not None and each.probit_intercept is not None
    )


def class_difficulties(data: AnnotatedDataset) -> tuple[ClassDifficulty, ...]:
    """Return each class's mean frequency and the right answers of all participants on it."""
    values: dict[str, list[Fraction]] = defaultdict(list)
    for image in data.images:
        value = image.frequency(image.target)
        if value is not None:
            values[image.target].append(value)
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for by in data.predictions:
        for image, labels in predicted(list(data.images), by):
            right[image.target] += labels[0] == image.target
            total[image.target] += 1
    return tuple(
        ClassDifficulty(
            dataset=data.dataset,
            label=label,
            images=len(found),
            mean_frequency=float(sum(found, Fraction(0)) / len(found)),
            correct=right[label],
            total=total[label],
        )
        for label, found in sorted(values.items())
    )
