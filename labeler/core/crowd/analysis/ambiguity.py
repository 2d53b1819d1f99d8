"""Ambiguous pairs: classes that annotators select for the same images, and accuracy on them."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    bootstrap_means,
    predicted,
)

Pair = tuple[str, str]

FEWEST_PAIR_IMAGES = 5
MOST_PAIRS_WITH_ACCURACY = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousPair:
    """Two classes, and the mean of the smaller frequency over their images, with its interval."""

    dataset: str
    label_a: str
    label_b: str
    images: int
    score: float
    ci_low: float
    ci_high: float


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


def ambiguous_images(data: AnnotatedDataset) -> dict[Pair, list[AnnotatedImage]]:
    """Return the images of each pair of classes: the target is one, and both were asked."""
    found: dict[Pair, list[AnnotatedImage]] = defaultdict(list)
    for image in data.images:
        for a, b in combinations(sorted(image.frequencies), 2):
            if image.target in (a, b):
                found[a, b].append(image)
    return found


def _smaller(image: AnnotatedImage, a: str, b: str) -> Fraction:
    return min(image.frequencies[a].value, image.frequencies[b].value)


def ambiguous_pairs(data: AnnotatedDataset, *, seed: int) -> list[AmbiguousPair]:
    """Return the pairs with enough images and a score above 0, the most ambiguous first."""
    scored = _scored(data)
    means = bootstrap_means(
        [values for _pair, values in scored], seed=seed, purpose=f"crowd pairs {data.dataset}"
    )
    return [
        AmbiguousPair(
            dataset=data.dataset,
            label_a=a,
            label_b=b,
            images=len(values),
            score=score,
            ci_low=low,
            ci_high=high,
        )
        for ((a, b), values), (score, low, high) in zip(scored, means, strict=True)
    ]


def _scored(data: AnnotatedDataset) -> list[tuple[Pair, list[Fraction]]]:
    """Return the smaller frequencies on the images of each pair, the most ambiguous pair first."""
    smaller = {
        pair: [_smaller(image, *pair) for image in images]
        for pair, images in ambiguous_images(data).items()
        if len(images) >= FEWEST_PAIR_IMAGES
    }
    scores = {pair: sum(values) / len(values) for pair, values in smaller.items()}
    ordered = sorted((pair for pair in scores if scores[pair]), key=lambda p: (-scores[p], p))
    return [(pair, smaller[pair]) for pair in ordered]


def accuracy_on_pairs(data: AnnotatedDataset) -> list[PairAccuracy]:
    images = ambiguous_images(data)
    pairs = [pair for pair, _values in _scored(data)[:MOST_PAIRS_WITH_ACCURACY]]
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
