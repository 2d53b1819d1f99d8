"""Other people's files in terms of the exchange format."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from labeler.app.exchange.file_recognition import ForeignFile, ForeignFormat
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.models.real_labels import parse_real_labels
from labeler.core.study.entities import DatasetRole, ImageKey, ProblemReason
from labeler.core.text import count_noun
from labeler.formats.human_accuracy_json import translate_human_accuracy_json
from labeler.formats.human_accuracy_pickle import translate_human_accuracy_pickle
from labeler.formats.known_images import KnownImage
from labeler.formats.real_json import translate_real
from labeler.formats.translation import Translation
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ForeignRows:
    """What a file says, and the images that it calls problematic beside its rows."""

    translated: Translation
    problematic: Mapping[ImageKey, ProblemReason]


def foreign_rows(store: StudyStore, given: ForeignFile) -> ForeignRows:
    """Translate the file for this study; what is wrong in it is told with its place."""
    classes, file = store.taxonomy.class_wnids, given.path
    if classes != load_default().class_wnids:
        raise RefusedError(f"'{file}' speaks of ImageNet's 1,000 classes; this study has others.")
    if given.format is ForeignFormat.HUMAN_ACCURACY:
        return ForeignRows(translate_human_accuracy_pickle(file, classes), {})
    images = _images(store)
    if given.format is ForeignFormat.REAL:
        labels = parse_real_labels(given.document, file=str(file))
        return ForeignRows(translate_real(labels, images, classes, file=file), {})
    judged = translate_human_accuracy_json(given.document, images, classes, file=file)
    problematic = {ImageKey(i.dataset, i.name): why for i, why in judged.problematic.items()}
    translated = judged.translated
    notes = (*translated.notes, *_problematic_sentence(problematic.values()))
    return ForeignRows(replace(translated, notes=notes), problematic)


def _problematic_sentence(reasons: Iterable[ProblemReason]) -> Iterator[str]:
    """How many images are marked, and why: they stand in no row."""
    counts = Counter(reasons)
    if counts:
        why = ", ".join(
            f"{counts[reason]:,} {reason}" for reason in ProblemReason if counts[reason]
        )
        images = count_noun(counts.total(), "image is", "images are")
        yield f"{images} marked as problematic: {why}."


def _images(store: StudyStore) -> list[KnownImage]:
    wnids = store.taxonomy.class_wnids
    with store.read() as study:
        return [
            KnownImage(dataset.name, image.name, wnids[image.target])
            for dataset in study.datasets.all(DatasetRole.EVALUATION)
            for image in study.model_predictions.images(dataset.name)
        ]
