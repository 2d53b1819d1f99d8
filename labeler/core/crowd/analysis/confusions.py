"""Confusions of annotators and participants, by class and by superclass."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from labeler.core.crowd.analysis.annotations import AnnotatedDataset, AnnotatedImage, predicted
from labeler.core.crowd.analysis.object_analyses import other_object_labels

# In place of a participant: what annotators say together.
MAIN_LABEL_OF_ANNOTATORS = "annotators, main label"
MOST_FREQUENT_LABEL = "annotators, highest frequency"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassConfusion:
    """Images of the target class `label` that `participant` called `other_label`."""

    participant: str
    dataset: str
    label: str
    other_label: str
    images: int
    same_superclass: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperclassConfusion:
    """Images of one superclass that were given a label of another or the same one."""

    participant: str
    dataset: str
    superclass: str
    other_superclass: str
    images: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperclassCooccurrence:
    """Images of one superclass with another object of a superclass, counted once an image."""

    dataset: str
    superclass: str
    other_superclass: str
    images: int


def answers_by_participant(
    data: AnnotatedDataset,
) -> Iterator[tuple[str, list[tuple[AnnotatedImage, str]]]]:
    """Yield what annotators say together, then what each participant says, by image."""
    yield (
        MAIN_LABEL_OF_ANNOTATORS,
        [(image, image.main_label) for image in data.images if image.main_label is not None],
    )
    yield (
        MOST_FREQUENT_LABEL,
        [(image, label) for image in data.images if (label := most_frequent_label(image))],
    )
    for by in data.predictions:
        given = predicted(list(data.images), by)
        yield by.participant, [(image, labels[0]) for image, labels in given]


def most_frequent_label(image: AnnotatedImage) -> str | None:
    """Return the label of the highest frequency; of equal ones, the smaller wnid."""
    selected = [(f.value, label) for label, f in image.frequencies.items() if f.selected]
    return min(selected, key=lambda item: (-item[0], item[1]))[1] if selected else None


def class_confusions(
    data: AnnotatedDataset, superclasses: Mapping[str, str]
) -> list[ClassConfusion]:
    """Return the pairs of different classes, the most frequent first."""
    rows = []
    for participant, given in answers_by_participant(data):
        counts = Counter((i.target, label) for i, label in given if label != i.target)
        rows += [
            ClassConfusion(
                participant=participant,
                dataset=data.dataset,
                label=target,
                other_label=label,
                images=count,
                same_superclass=_together(target, label, superclasses),
            )
            for (target, label), count in sorted(counts.items(), key=lambda e: (-e[1], e[0]))
        ]
    return rows


def _together(a: str, b: str, superclasses: Mapping[str, str]) -> bool:
    return a in superclasses and superclasses[a] == superclasses.get(b)


def superclass_confusions(
    data: AnnotatedDataset, superclasses: Mapping[str, str]
) -> list[SuperclassConfusion]:
    rows = []
    for participant, given in answers_by_participant(data):
        counts = Counter(
            (superclasses[i.target], superclasses[label])
            for i, label in given
            if i.target in superclasses and label in superclasses
        )
        rows += [
            SuperclassConfusion(
                participant=participant,
                dataset=data.dataset,
                superclass=one,
                other_superclass=other,
                images=count,
            )
            for (one, other), count in sorted(counts.items())
        ]
    return rows


def superclass_cooccurrences(
    data: AnnotatedDataset, superclasses: Mapping[str, str]
) -> list[SuperclassCooccurrence]:
    counts: Counter[tuple[str, str]] = Counter()
    for image in data.named:
        others = {superclasses[o] for o in other_object_labels(image) if o in superclasses}
        if image.target in superclasses:
            counts.update((superclasses[image.target], other) for other in others)
    return [
        SuperclassCooccurrence(
            dataset=data.dataset, superclass=one, other_superclass=other, images=count
        )
        for (one, other), count in sorted(counts.items())
    ]
