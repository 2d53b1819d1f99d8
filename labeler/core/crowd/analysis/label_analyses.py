"""Analyses of selection frequencies: targets, accuracy by bin, validated labels, suspects."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    bootstrap_mean,
    exact_interval,
    predicted,
)
from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.statistics.random_draws import generator

VALIDATION_THRESHOLDS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
SUBSET_SIZES = (3, 5)
# Lower bounds of the bins of selection frequencies; the last bin includes 1.
FREQUENCY_BINS = tuple(Fraction(tenth, 5) for tenth in range(5))


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetFrequency:
    """The mean frequency of the target, over a class or (label None) the dataset."""

    dataset: str
    revision: int | None
    label: str | None
    images: int
    mean: float | None
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BinAccuracy:
    """Top-1 accuracy on images whose target's frequency is in a bin."""

    participant: str
    dataset: str
    bin_low: float
    bin_high: float
    correct: int
    total: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedLabels:
    """Images with this number of labels whose frequency is at least `threshold` · the target's.

    `annotators` is the size of a random subset of the annotators of each label, or None for all.
    """

    dataset: str
    threshold: float
    labels: int
    images: int
    annotators: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwiceSelectedLabels:
    """Images with this number of labels that at least two annotators selected."""

    dataset: str
    labels: int
    images: int


class SuspectReason(StrEnum):
    """Why a target is suspect."""

    NEVER_SELECTED = "never_selected"
    NEVER_TICKED = "never_ticked"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectImage:
    dataset: str
    image: str
    reason: SuspectReason


def target_frequencies(data: AnnotatedDataset, *, seed: int) -> list[TargetFrequency]:
    """Return the dataset's mean frequency of targets, then that of each class."""
    by_label: dict[str, list[Fraction]] = defaultdict(list)
    for image in data.images:
        value = image.frequency(image.target)
        if value is not None:
            by_label[image.target].append(value)
    together = [value for values in by_label.values() for value in values]
    groups: list[tuple[str | None, list[Fraction]]] = [(None, together), *sorted(by_label.items())]
    return [_mean_frequency(data.dataset, *group, seed=seed) for group in groups if together]


def _mean_frequency(
    dataset: str, label: str | None, values: list[Fraction], *, seed: int
) -> TargetFrequency:
    found = bootstrap_mean(values, seed=seed, purpose=f"crowd frequency {dataset} {label}")
    return TargetFrequency(
        dataset=dataset,
        revision=None,
        label=label,
        images=len(values),
        mean=found.mean,
        ci_low=found.ci_low,
        ci_high=found.ci_high,
    )


def frequency_bin(value: Fraction) -> int:
    """Return the number of the bin of a frequency."""
    return min(int(value * len(FREQUENCY_BINS)), len(FREQUENCY_BINS) - 1)


def accuracy_by_bin(data: AnnotatedDataset) -> list[BinAccuracy]:
    bins: dict[int, list[AnnotatedImage]] = defaultdict(list)
    for image in data.images:
        value = image.frequency(image.target)
        if value is not None:
            bins[frequency_bin(value)].append(image)
    width = FREQUENCY_BINS[1]
    rows = []
    for by in data.predictions:
        for number, images in sorted(bins.items()):
            right = [labels[0] == image.target for image, labels in predicted(images, by)]
            if right:
                low = FREQUENCY_BINS[number]
                ci_low, ci_high = exact_interval(sum(right), len(right))
                rows.append(
                    BinAccuracy(
                        participant=by.participant,
                        dataset=data.dataset,
                        bin_low=float(low),
                        bin_high=float(low + width),
                        correct=sum(right),
                        total=len(right),
                        ci_low=ci_low,
                        ci_high=ci_high,
                    )
                )
    return rows


def count_validated(
    target: str, frequencies: Mapping[str, SelectionFrequency], threshold: Fraction
) -> int | None:
    """Count the labels; None if the target was never selected or never asked."""
    of_target = frequencies.get(target)
    if of_target is None or not of_target.selected:
        return None
    least = threshold * of_target.value
    above, below = least.numerator, least.denominator
    # The comparison of fractions, without making one for each label.
    return sum(
        bool(f.selected) and f.selected * below >= above * f.shown for f in frequencies.values()
    )


def validated_labels(data: AnnotatedDataset) -> list[ValidatedLabels]:
    return [
        row
        for threshold in VALIDATION_THRESHOLDS
        for row in _validated(
            data.dataset, threshold, [(i.target, i.frequencies) for i in data.images]
        )
    ]


def validated_by_subsets(data: AnnotatedDataset, *, seed: int) -> list[ValidatedLabels]:
    """Repeat the count with a random subset of the annotators who were shown each label."""
    rows = []
    for size in SUBSET_SIZES:
        drawn = [(i.target, f) for i, f in zip(data.images, _drawn(data, size, seed), strict=True)]
        for threshold in VALIDATION_THRESHOLDS:
            rows += _validated(data.dataset, threshold, drawn, annotators=size)
    return rows


def _drawn(data: AnnotatedDataset, size: int, seed: int) -> list[dict[str, SelectionFrequency]]:
    random = generator(seed, f"crowd subset {data.dataset} {size}")
    return [
        {
            label: SelectionFrequency(
                int(random.hypergeometric(f.selected, f.shown - f.selected, min(size, f.shown))),
                min(size, f.shown),
            )
            for label, f in sorted(image.frequencies.items())
        }
        for image in data.images
    ]


def _validated(
    dataset: str,
    threshold: Fraction,
    images: Sequence[tuple[str, Mapping[str, SelectionFrequency]]],
    annotators: int | None = None,
) -> list[ValidatedLabels]:
    counts = Counter(count_validated(*image, threshold) for image in images)
    return [
        ValidatedLabels(
            dataset=dataset,
            threshold=float(threshold),
            labels=labels,
            images=found,
            annotators=annotators,
        )
        for labels, found in sorted((k, v) for k, v in counts.items() if k is not None)
    ]


def twice_selected_labels(data: AnnotatedDataset) -> list[TwiceSelectedLabels]:
    counts = Counter(
        sum(f.selected > 1 for f in image.frequencies.values())
        for image in data.images
        if image.frequencies
    )
    return [
        TwiceSelectedLabels(dataset=data.dataset, labels=labels, images=images)
        for labels, images in sorted(counts.items())
    ]


def suspects(data: AnnotatedDataset) -> list[SuspectImage]:
    """Return images whose target no annotator selected, or ticked."""
    found = []
    for image in data.images:
        if image.frequency(image.target) == 0:
            found.append((image.image, SuspectReason.NEVER_SELECTED))
        if image.ticked and not image.ticked.get(image.target):
            found.append((image.image, SuspectReason.NEVER_TICKED))
    return [SuspectImage(dataset=data.dataset, image=i, reason=why) for i, why in sorted(found)]
