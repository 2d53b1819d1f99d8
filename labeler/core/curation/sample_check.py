"""Images of the sample that have a near-duplicate elsewhere in the study."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun


class OverlapPlace(StrEnum):
    """Where the near-duplicate of a sampled image is."""

    REFERENCES = "references"
    TRAINING = "training"
    SAMPLE = "sample"
    DATASET = "dataset"


# Labelers see these images before or during the evaluation.
SEEN_PLACES = frozenset({OverlapPlace.REFERENCES, OverlapPlace.TRAINING})
_WHERE = {
    OverlapPlace.REFERENCES: "among the references",
    OverlapPlace.TRAINING: "in the training pool",
    OverlapPlace.SAMPLE: "in the sample itself",
    OverlapPlace.DATASET: "in other images of the datasets",
}
assert set(_WHERE) == set(OverlapPlace), "every place has its words"
NOT_SEARCHED = (
    "The images weren't searched for near-duplicates, so the sample may contain images that nearly "
    "equal references or training images."
)


@dataclass(frozen=True, slots=True, order=True)
class SampleOverlap:
    """A sampled image and its near-duplicate; not confirmed means that nobody has judged it."""

    place: OverlapPlace
    sampled: ImageKey
    other: ImageKey
    confirmed: bool


def overlap_sentences(overlaps: Iterable[SampleOverlap]) -> tuple[str, ...]:
    """Return a sentence for each place that has near-duplicates of the sample."""
    found = list(overlaps)
    return tuple(
        _sentence(place, of_place)
        for place in OverlapPlace
        if (of_place := [overlap for overlap in found if overlap.place is place])
    )


def _sentence(place: OverlapPlace, overlaps: list[SampleOverlap]) -> str:
    images = {overlap.sampled for overlap in overlaps}
    confirmed = {overlap.sampled for overlap in overlaps if overlap.confirmed}
    counted = count_noun(len(images), "image of the sample has", "images of the sample have")
    states = [
        f"{count:,} {words}"
        for count, words in (
            (len(confirmed), "confirmed"),
            (len(images - confirmed), "not reviewed"),
        )
        if count
    ]
    return f"{counted} a near-duplicate {_WHERE[place]} ({', '.join(states)})."
