"""Read `human_accuracy_v3.0.0.json`: multi-labels and problematic images, no answers."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.study.entities import ProblemReason, Verdict
from labeler.core.study.exchange_format import MULTILABELS
from labeler.core.study.exchange_rows import quoted
from labeler.formats.nested_values import NestedValue
from labeler.formats.translation import ExchangeRow, KnownImage, Translation, images_by_file_name

LabelStates = Mapping[str, Verdict]


def parse_label_states(images: NestedValue, classes: Collection[str]) -> dict[str, LabelStates]:
    """Return the verdict on each label of each image; an unused verdict may be missing."""
    return {image: _states(given, classes) for image, given in images.items()}


def _states(given: NestedValue, classes: Collection[str]) -> LabelStates:
    states: dict[str, Verdict] = {}
    for verdict in Verdict:
        for label in given.get(verdict, ()).texts():
            if label not in classes:
                raise given.wrong(f"{quoted(label)} isn't a class of the study")
            if states.setdefault(label, verdict) is not verdict:
                raise given.wrong(f"{quoted(label)} is both {states[label]} and {verdict}")
    return states


NO_IMAGE_OF_THE_STUDY = "this file contains no image of the study"
# Words in free-text reasons, and our reason for each; the first match counts.
_REASON_WORDS = {
    "draw": ProblemReason.DRAWING,
    "cartoon": ProblemReason.DRAWING,
    "paint": ProblemReason.DRAWING,
    "edit": ProblemReason.EDITED,
    "collage": ProblemReason.EDITED,
    "inappropriate": ProblemReason.INAPPROPRIATE,
    "offensive": ProblemReason.INAPPROPRIATE,
}

_ImagesByName = Mapping[str, Sequence[KnownImage]]


@dataclass(frozen=True, slots=True)
class ImportedVerdicts:
    """What a file says about the study's images."""

    translated: Translation
    problematic: Mapping[KnownImage, ProblemReason]


def translate_human_accuracy_json(
    document: object, images: Iterable[KnownImage], classes: Collection[str], *, file: Path
) -> ImportedVerdicts:
    """Return the labels and problems of the images that the study has."""
    top = NestedValue(document, file=file)
    judged = parse_label_states(top.at("initial_annots"), classes)
    reasons = {image: _reason(about) for image, about in top.get("problematic_images", {}).items()}
    there = tuple(images)
    known = images_by_file_name(there)
    if not known.keys() & (judged.keys() | reasons.keys()):
        raise top.wrong(NO_IMAGE_OF_THE_STUDY)
    return ImportedVerdicts(
        Translation({MULTILABELS: _rows(judged, known)}, tuple(_notes(judged, known, len(there)))),
        {one: reason for name, reason in reasons.items() for one in known.get(name, ())},
    )


def _reason(about: NestedValue) -> ProblemReason:
    """Return our reason for a free-text reason; by default the target is wrong."""
    reason = str(about.get("reason", "").value).lower()
    return next(
        (ours for word, ours in _REASON_WORDS.items() if word in reason), ProblemReason.TARGET_WRONG
    )


def _rows(judged: Mapping[str, LabelStates], known: _ImagesByName) -> Iterator[ExchangeRow]:
    for name, states in judged.items():
        for one in known.get(name, ()):
            yield from ((one.dataset, one.name, label, state) for label, state in states.items())


def _notes(judged: Mapping[str, LabelStates], known: _ImagesByName, images: int) -> Iterator[str]:
    here = sum(len(known.get(name, ())) for name in judged)
    yield f"Images of the study that this file judges: {here:,} of {images:,}."
    elsewhere = len(judged.keys() - known.keys())
    if elsewhere:
        yield f"Images of the file that the study doesn't have, left out: {elsewhere:,}."
