"""Analyses of objects: how many, which occur together, and what predictions name."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    Predictions,
    bootstrap_mean,
    exact_interval,
    predicted,
)
from labeler.core.crowd.entities import AnnotationStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectCount:
    """Images with this number of objects, and how sure annotators were of the number."""

    dataset: str
    num_objects: int
    images: int
    mean_confidence: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cooccurrence:
    """Images of the target class `label` with another object called `other_label`."""

    dataset: str
    label: str
    other_label: str
    images: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiObjectShare:
    """Images with several objects, of all that annotators decided on."""

    dataset: str
    images: int
    of: int
    ci_low: float
    ci_high: float


class ObjectGroup(StrEnum):
    """Images by their number of objects; clear images have one."""

    ONE = "1"
    ONE_WITH_CLEAR = "1_with_clear"
    TWO = "2"
    THREE_OR_MORE = "3+"
    SEVERAL = "2+"


class ObjectMetric(StrEnum):
    """When a prediction is right."""

    TOP1 = "top1"
    TOP5 = "top5"
    OBJECT_LABEL = "object_label"
    ANY_OBJECT = "any_object"
    MAIN_LABEL = "main_label"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectAccuracy:
    participant: str
    dataset: str
    objects: ObjectGroup
    metric: ObjectMetric
    correct: int
    total: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MainDiffers:
    """Images whose main object isn't the target's, of those with several objects and a target."""

    dataset: str
    images: int
    of: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MainDiffersClass:
    dataset: str
    label: str
    images: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MainDiffersAccuracy:
    """A participant's top-1 accuracy where the main object isn't the target's."""

    participant: str
    dataset: str
    correct: int
    total: int
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Top5Corrections:
    """Images whose target is only in ranks 2 to 5, and where the prediction is another object.

    The interval is that of the share in another object; None without corrections.
    """

    participant: str
    dataset: str
    corrections: int
    in_other_object: int
    ci_low: float | None
    ci_high: float | None


_IN_GROUP: dict[ObjectGroup, Callable[[AnnotatedImage], bool]] = {
    ObjectGroup.ONE: lambda image: len(image.objects) == 1,
    ObjectGroup.ONE_WITH_CLEAR: lambda image: len(image.objects) == 1 or _is_clear(image),
    ObjectGroup.TWO: lambda image: len(image.objects) == 2,
    ObjectGroup.THREE_OR_MORE: lambda image: len(image.objects) > 2,
    ObjectGroup.SEVERAL: lambda image: len(image.objects) > 1,
}
assert set(_IN_GROUP) == set(ObjectGroup), "every group has a rule"


def _is_clear(image: AnnotatedImage) -> bool:
    return image.status is AnnotationStatus.CLEAR


def in_group(image: AnnotatedImage, group: ObjectGroup) -> bool:
    return _IN_GROUP[group](image)


def _object_labels(image: AnnotatedImage) -> set[str]:
    return {each.label for each in image.objects} if image.named else {image.target}


def _all_labels(image: AnnotatedImage) -> set[str]:
    labels = (label for each in image.objects for label in each.labels)
    return set(labels) if image.named else {image.target}


_IS_RIGHT: dict[ObjectMetric, Callable[[AnnotatedImage, tuple[str, ...]], bool]] = {
    ObjectMetric.TOP1: lambda image, labels: labels[0] == image.target,
    ObjectMetric.TOP5: lambda image, labels: image.target in labels[:5],
    ObjectMetric.OBJECT_LABEL: lambda image, labels: labels[0] in _object_labels(image),
    ObjectMetric.ANY_OBJECT: lambda image, labels: labels[0] in _all_labels(image),
    ObjectMetric.MAIN_LABEL: lambda image, labels: (
        labels[0] == (image.main_label if image.named else image.target)
    ),
}
assert set(_IS_RIGHT) == set(ObjectMetric), "every metric has a rule"


def count_objects(data: AnnotatedDataset, *, seed: int) -> list[ObjectCount]:
    by_count: dict[int, list[AnnotatedImage]] = defaultdict(list)
    for image in data.named:
        by_count[len(image.objects)].append(image)
    return [
        _object_count(data.dataset, count, images, seed=seed)
        for count, images in sorted(by_count.items())
    ]


def _object_count(
    dataset: str, count: int, images: list[AnnotatedImage], *, seed: int
) -> ObjectCount:
    confidences = [image.confidence or Fraction(0) for image in images]
    purpose = f"crowd confidence {dataset} {count}"
    found = bootstrap_mean(confidences, seed=seed, purpose=purpose)
    return ObjectCount(
        dataset=dataset,
        num_objects=count,
        images=len(images),
        mean_confidence=found.mean or 0.0,
        ci_low=found.ci_low or 0.0,
        ci_high=found.ci_high or 0.0,
    )


def multi_object_share(data: AnnotatedDataset) -> MultiObjectShare | None:
    """Return the share among followed-up and clear images: one of the latter has one object."""
    several = sum(in_group(image, ObjectGroup.SEVERAL) for image in data.images)
    of = sum(image.named or _is_clear(image) for image in data.images)
    if not of:
        return None
    low, high = exact_interval(several, of)
    return MultiObjectShare(dataset=data.dataset, images=several, of=of, ci_low=low, ci_high=high)


def other_object_labels(image: AnnotatedImage) -> list[str]:
    """Return the labels of the objects other than the target's."""
    return [
        each.label for number, each in enumerate(image.objects, 1) if number != image.target_object
    ]


def cooccurrences(data: AnnotatedDataset) -> list[Cooccurrence]:
    pairs: Counter[tuple[str, str]] = Counter()
    for image in data.named:
        if len(image.objects) > 1:
            pairs.update((image.target, other) for other in set(other_object_labels(image)))
    ordered = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return [
        Cooccurrence(dataset=data.dataset, label=label, other_label=other, images=count)
        for (label, other), count in ordered
    ]


def accuracy_by_objects(data: AnnotatedDataset) -> list[ObjectAccuracy]:
    groups = {group: [i for i in data.images if in_group(i, group)] for group in ObjectGroup}
    return [
        row
        for by in data.predictions
        for group, images in groups.items()
        for row in _accuracies(data.dataset, by, group, images)
    ]


def _accuracies(
    dataset: str, by: Predictions, group: ObjectGroup, images: list[AnnotatedImage]
) -> Iterator[ObjectAccuracy]:
    answered = list(predicted(images, by))
    if not answered:
        return
    for metric, is_right in _IS_RIGHT.items():
        if metric is ObjectMetric.TOP5 and not by.ranked:
            continue
        correct = sum(is_right(image, labels) for image, labels in answered)
        low, high = exact_interval(correct, len(answered))
        yield ObjectAccuracy(
            participant=by.participant,
            dataset=dataset,
            objects=group,
            metric=metric,
            correct=correct,
            total=len(answered),
            ci_low=low,
            ci_high=high,
        )


def with_target_object(data: AnnotatedDataset) -> list[AnnotatedImage]:
    """Return the images with several objects, one of which holds the target."""
    return [i for i in data.named if len(i.objects) > 1 and i.target_object is not None]


def main_differs(image: AnnotatedImage) -> bool:
    return image.main_object != image.target_object


def count_main_differs(data: AnnotatedDataset) -> MainDiffers | None:
    images = with_target_object(data)
    if not images:
        return None
    different = sum(map(main_differs, images))
    low, high = exact_interval(different, len(images))
    return MainDiffers(
        dataset=data.dataset, images=different, of=len(images), ci_low=low, ci_high=high
    )


def main_differs_by_class(data: AnnotatedDataset) -> list[MainDiffersClass]:
    of = Counter(image.target for image in with_target_object(data))
    images = Counter(i.target for i in with_target_object(data) if main_differs(i))
    return [
        MainDiffersClass(dataset=data.dataset, label=label, images=count, of=of[label])
        for label, count in sorted(images.items(), key=lambda item: (-item[1], item[0]))
    ]


def accuracy_where_main_differs(data: AnnotatedDataset) -> list[MainDiffersAccuracy]:
    images = [image for image in with_target_object(data) if main_differs(image)]
    rows = []
    for by in data.predictions:
        answered = list(predicted(images, by))
        if answered:
            correct = sum(labels[0] == image.target for image, labels in answered)
            low, high = exact_interval(correct, len(answered))
            rows.append(
                MainDiffersAccuracy(
                    participant=by.participant,
                    dataset=data.dataset,
                    correct=correct,
                    total=len(answered),
                    ci_low=low,
                    ci_high=high,
                )
            )
    return rows


def is_top5_correction(image: AnnotatedImage, labels: tuple[str, ...]) -> bool:
    return image.target in labels[1:5]


def is_in_other_object(image: AnnotatedImage, label: str) -> bool:
    """Whether the label and the target name different objects."""
    number = image.object_of(label)
    return None not in (number, image.target_object) and number != image.target_object


def predicted_corrections(
    data: AnnotatedDataset, by: Predictions
) -> list[tuple[AnnotatedImage, tuple[str, ...]]]:
    """Return the top-5 corrections of one participant with their labels."""
    return [pair for pair in predicted(data.named, by) if is_top5_correction(*pair)]


def top5_corrections(data: AnnotatedDataset) -> list[Top5Corrections]:
    rows = []
    for by in data.predictions:
        if by.ranked:
            found = predicted_corrections(data, by)
            other = sum(is_in_other_object(image, labels[0]) for image, labels in found)
            low, high = exact_interval(other, len(found)) if found else (None, None)
            rows.append(
                Top5Corrections(
                    participant=by.participant,
                    dataset=data.dataset,
                    corrections=len(found),
                    in_other_object=other,
                    ci_low=low,
                    ci_high=high,
                )
            )
    return rows
