"""The input of the analyses: a dataset's images as annotators saw them, and predictions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from labeler.core.crowd.entities import AnnotationStatus, ObjectTie, SelectionFrequency
from labeler.core.crowd.objects import ImageObject
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.statistics.random_draws import generator

MEAN_RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedImage:
    """An image after the aggregation; objects are numbered from 1 in their order.

    `frequencies` has the labels that were asked. `ticked` is how many annotators ticked a label.
    """

    image: str
    target: str
    status: AnnotationStatus
    frequencies: Mapping[str, SelectionFrequency] = field(default_factory=dict)
    objects: tuple[ImageObject, ...] = ()
    ticked: Mapping[str, int] = field(default_factory=dict)
    confidence: Fraction | None = None
    main_label: str | None = None
    main_object: int | None = None
    target_object: int | None = None
    ties: frozenset[ObjectTie] = frozenset()

    def frequency(self, label: str) -> Fraction | None:
        """Return the exact frequency of a label, or None if it wasn't asked."""
        found = self.frequencies.get(label)
        return None if found is None else found.value

    def object_of(self, label: str) -> int | None:
        """Return the number of the object with this label."""
        for number, each in enumerate(self.objects, 1):
            if label in each.labels:
                return number
        return None

    @property
    def named(self) -> bool:
        """Whether annotators named its objects."""
        return bool(self.objects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """A participant's labels by image, the first choice first."""

    participant: str
    ranked: bool
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedDataset:
    """The annotated images of one dataset, and who predicted their labels."""

    dataset: str
    images: tuple[AnnotatedImage, ...]
    predictions: tuple[Predictions, ...]

    @property
    def named(self) -> list[AnnotatedImage]:
        return [image for image in self.images if image.named]


def predicted(
    images: list[AnnotatedImage], by: Predictions
) -> Iterator[tuple[AnnotatedImage, tuple[str, ...]]]:
    """Yield the images that the participant answered, with the answer."""
    for image in images:
        labels = by.labels.get(image.image)
        if labels:
            yield image, labels


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean with its 95 % interval; None where there is nothing to average."""

    mean: float | None
    ci_low: float | None
    ci_high: float | None


def bootstrap_mean(values: list[Fraction], *, seed: int, purpose: str) -> MeanEstimate:
    """Return the mean with a 95 % bootstrap interval over images.

    Drawing how often each distinct value occurs is the same as drawing images.
    """
    if not values:
        return MeanEstimate(None, None, None)
    distinct = sorted(set(values))
    places = {value: place for place, value in enumerate(distinct)}
    counts = np.bincount([places[value] for value in values], minlength=len(distinct))
    drawn = generator(seed, purpose).multinomial(
        len(values), counts / counts.sum(), size=MEAN_RESAMPLES
    )
    means = drawn @ np.array([float(value) for value in distinct]) / len(values)
    low, high = np.quantile(means, (0.025, 0.975))
    return MeanEstimate(float(sum(values) / len(values)), float(low), float(high))


def bootstrap_means(
    groups: Sequence[Sequence[Fraction]], *, seed: int, purpose: str
) -> list[tuple[float, float, float]]:
    """Return the mean of each group, of at least one value, with its 95 % bootstrap interval.

    Groups of equally many values share their draws: drawing for each of thousands is slow.
    """
    weights: dict[int, NDArray[np.float64]] = {}
    estimates = []
    for values in groups:
        size = len(values)
        if size not in weights:
            random = generator(seed, f"{purpose} {size}")
            drawn = random.multinomial(size, np.full(size, 1 / size), size=MEAN_RESAMPLES)
            weights[size] = drawn / size
        means = weights[size] @ np.array([float(value) for value in values])
        low, high = np.quantile(means, (0.025, 0.975))
        estimates.append((float(sum(values) / size), float(low), float(high)))
    return estimates


def exact_interval(correct: int, total: int) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of one proportion."""
    found = clopper_pearson([correct], [total])
    return float(found.low[0]), float(found.high[0])
