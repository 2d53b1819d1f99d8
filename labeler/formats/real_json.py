"""Read `real.json`: reassessed labels of ImageNet's validation images as multi-labels."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from labeler.core.errors import InputError
from labeler.core.models.real_labels import RealLabels, validation_number
from labeler.core.study.entities import Verdict
from labeler.core.study.exchange_format import MULTILABELS
from labeler.formats.translation import ExchangeRow, KnownImage, Translation


def translate_real(
    real: RealLabels, images: Iterable[KnownImage], wnids: Sequence[str], *, file: Path
) -> Translation:
    """Return the labels of the images whose names are those of validation files."""
    numbered = [
        (image, number) for image in images if (number := validation_number(image.name)) is not None
    ]
    if not numbered:
        problem = (
            "no image of the study has the name of an ImageNet validation file "
            "(ILSVRC2012_val_00000001.JPEG), so these labels don't apply to it."
        )
        raise InputError(problem, file=file)
    labels = {image: [wnids[index] for index in sorted(real[n - 1])] for image, n in numbered}
    excluded = sum(not given for given in labels.values())
    notes = [f"Images of the study with reassessed labels: {len(labels) - excluded:,}."]
    if excluded:
        notes.append(
            f"Images whose list is empty: {excluded:,}. Their target counts as unclear, "
            "so they count in no accuracy."
        )
    rows = (row for image, given in labels.items() for row in _rows(image, given))
    return Translation({MULTILABELS: rows}, tuple(notes))


def _rows(image: KnownImage, correct: Sequence[str]) -> Iterator[ExchangeRow]:
    yield from ((image.dataset, image.name, label, Verdict.CORRECT) for label in correct)
    if image.target not in correct:
        state = Verdict.WRONG if correct else Verdict.UNCLEAR
        yield image.dataset, image.name, image.target, state
