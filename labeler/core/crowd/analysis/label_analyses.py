"""Analyses of selection frequencies: validated labels, ambiguous pairs, predictions, suspects."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    MeanEstimate,
    Predictions,
    bootstrap_mean,
    exact_interval,
    predicted,
)
from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.statistics.random_draws import generator

VALIDATION_THRESHOLDS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
SUBSET_SIZES = (3, 5)
FEWEST_PAIR_IMAGES = 5
MOST_PAIRS_WITH_ACCURACY = 50
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousPair:
    """Two classes, and the mean of the smaller frequency over their images."""

    dataset: str
    label_a: str
    label_b: str
    images: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAccuracy:
    """A participant on the images of an ambiguous pair; pairwise: predictions of either class."""

    participant: str
    dataset: str
    label_a: str
    label_b: str
    correct: int
    total: int
    pairwise_correct: int
    pairwise_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanBased:
    """How annotators judge a participant's predictions.

    Predictions that annotators weren't asked about are `unasked` and in no mean. The fields
    `wrong_…` are over predictions other than the target; `wrong_histogram` counts them by
    frequency in tenths.
    """

    participant: str
    dataset: str
    mean_prediction_frequency: float | None
    mean_prediction_ci: tuple[float, float] | None
    mean_target_frequency: float | None
    mean_target_ci: tuple[float, float] | None
    is_main_label: float | None
    is_main_label_ci: tuple[float, float] | None
    main_labels: int
    asked: int
    unasked: int
    wrong_mean_prediction_frequency: float | None
    wrong_mean_prediction_ci: tuple[float, float] | None
    wrong_mean_target_frequency: float | None
    wrong_is_main_label: float | None
    wrong_asked: int
    wrong_unasked: int
    wrong_histogram: tuple[int, ...]


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


def ambiguous_images(data: AnnotatedDataset) -> dict[tuple[str, str], list[AnnotatedImage]]:
    """Return the images of each pair of classes: the target is one, and both were asked."""
    found: dict[tuple[str, str], list[AnnotatedImage]] = defaultdict(list)
    for image in data.images:
        for a, b in combinations(sorted(image.frequencies), 2):
            if image.target in (a, b):
                found[a, b].append(image)
    return found


def _smaller(image: AnnotatedImage, a: str, b: str) -> Fraction:
    return min(image.frequencies[a].value, image.frequencies[b].value)


def ambiguous_pairs(data: AnnotatedDataset) -> list[AmbiguousPair]:
    """Return the pairs with enough images and a score above 0, the most ambiguous first."""
    scores = {
        pair: (sum(_smaller(image, *pair) for image in images) / len(images), len(images))
        for pair, images in ambiguous_images(data).items()
        if len(images) >= FEWEST_PAIR_IMAGES
    }
    ordered = sorted(scores.items(), key=lambda item: (-item[1][0], item[0]))
    return [
        AmbiguousPair(dataset=data.dataset, label_a=a, label_b=b, images=count, score=float(score))
        for (a, b), (score, count) in ordered
        if score
    ]


def accuracy_on_pairs(data: AnnotatedDataset) -> list[PairAccuracy]:
    images = ambiguous_images(data)
    pairs = [(p.label_a, p.label_b) for p in ambiguous_pairs(data)[:MOST_PAIRS_WITH_ACCURACY]]
    rows = []
    for pair in pairs:
        for by in data.predictions:
            given = [(i.target, labels[0]) for i, labels in predicted(images[pair], by)]
            if given:
                either = [(target, label) for target, label in given if label in pair]
                rows.append(
                    PairAccuracy(
                        participant=by.participant,
                        dataset=data.dataset,
                        label_a=pair[0],
                        label_b=pair[1],
                        correct=sum(target == label for target, label in given),
                        total=len(given),
                        pairwise_correct=sum(target == label for target, label in either),
                        pairwise_total=len(either),
                    )
                )
    return rows


@dataclass(frozen=True, slots=True)
class _Judged:
    """Frequencies of some predictions of one participant, and of the targets."""

    frequencies: list[Fraction]
    targets: list[Fraction]
    are_main: list[bool]
    unasked: int


def _judged(given: list[tuple[AnnotatedImage, str]]) -> _Judged:
    values = [image.frequency(label) for image, label in given]
    targets = [image.frequency(image.target) for image, _label in given]
    return _Judged(
        [value for value in values if value is not None],
        [value for value in targets if value is not None],
        [label == image.main_label for image, label in given if image.main_label is not None],
        values.count(None),
    )


def human_based(data: AnnotatedDataset, *, seed: int) -> list[HumanBased]:
    rows = []
    for by in data.predictions:
        given = [(image, labels[0]) for image, labels in predicted(list(data.images), by)]
        if given:
            rows.append(_human_based(data.dataset, by, given, seed))
    return rows


def _human_based(
    dataset: str, by: Predictions, given: list[tuple[AnnotatedImage, str]], seed: int
) -> HumanBased:
    every = _judged(given)
    wrong = _judged([(image, label) for image, label in given if label != image.target])
    purpose = f"crowd predictions {dataset} {by.participant}"
    mean = bootstrap_mean(every.frequencies, seed=seed, purpose=purpose)
    targets = bootstrap_mean(every.targets, seed=seed, purpose=f"{purpose} targets")
    of_wrong = bootstrap_mean(wrong.frequencies, seed=seed, purpose=f"{purpose} wrong")
    mains = every.are_main
    tenths = Counter(min(int(value * 10), 9) for value in wrong.frequencies)
    return HumanBased(
        participant=by.participant,
        dataset=dataset,
        mean_prediction_frequency=mean.mean,
        mean_prediction_ci=_interval(mean),
        mean_target_frequency=targets.mean,
        mean_target_ci=_interval(targets),
        is_main_label=_mean(mains),
        is_main_label_ci=exact_interval(sum(mains), len(mains)) if mains else None,
        main_labels=len(mains),
        asked=len(every.frequencies),
        unasked=every.unasked,
        wrong_mean_prediction_frequency=of_wrong.mean,
        wrong_mean_prediction_ci=_interval(of_wrong),
        wrong_mean_target_frequency=_mean(wrong.targets),
        wrong_is_main_label=_mean(wrong.are_main),
        wrong_asked=len(wrong.frequencies),
        wrong_unasked=wrong.unasked,
        wrong_histogram=tuple(tenths[tenth] for tenth in range(10)),
    )


def _interval(found: MeanEstimate) -> tuple[float, float] | None:
    if found.ci_low is None or found.ci_high is None:
        return None
    return found.ci_low, found.ci_high


def _mean(values: list[Fraction] | list[bool]) -> float | None:
    return float(Fraction(sum(values)) / len(values)) if values else None


def suspects(data: AnnotatedDataset) -> list[SuspectImage]:
    """Return images whose target no annotator selected, or ticked."""
    found = []
    for image in data.images:
        if image.frequency(image.target) == 0:
            found.append((image.image, SuspectReason.NEVER_SELECTED))
        if image.ticked and not image.ticked.get(image.target):
            found.append((image.image, SuspectReason.NEVER_TICKED))
    return [SuspectImage(dataset=data.dataset, image=i, reason=why) for i, why in sorted(found)]
