"""Bringing other people's files into a study: which format a file has, and what it becomes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, Refused
from labeler.core.real_labels import check_real
from labeler.core.study import DatasetRole, ImageKey, ProblemReason
from labeler.core.taxonomy import load_default
from labeler.formats.human_accuracy_json import translate_judged
from labeler.formats.human_accuracy_pickle import translate_human_accuracy
from labeler.formats.known_images import KnownImage
from labeler.formats.real_json import translate_real
from labeler.formats.translated import Translated
from labeler.store.exchange.foreign import import_foreign_rows
from labeler.store.exchange.reading import Progress
from labeler.store.exchange.summary import FileImport
from labeler.store.study import StudyStore

# Every pickle of the last twenty years begins so.
_PICKLE = b"\x80"


class ForeignFormat(StrEnum):
    """A file that somebody else's program writes, as a person would call it."""

    HUMAN_ACCURACY = "human_accuracy.pickle"
    JUDGED = "human_accuracy.json"
    REAL = "real.json"


@dataclass(frozen=True, slots=True)
class ForeignImport:
    """What came in, in terms of the exchange format, and what a person should know of it."""

    format: ForeignFormat
    files: tuple[FileImport, ...]
    notes: tuple[str, ...]


def import_foreign(
    store: StudyStore, file: Path, *, progress: Progress = lambda _file, _done, _total: None
) -> ForeignImport:
    """Recognise the file and bring all of it in, or nothing."""
    if store.taxonomy.class_wnids != load_default().class_wnids:
        raise Refused(f"'{file}' speaks of ImageNet's 1,000 classes; this study has others.")
    kind, translated, problematic = _translated(store, file)
    files = import_foreign_rows(
        store, translated.rows, source=file, problematic=problematic, progress=progress
    )
    return ForeignImport(kind, files, translated.notes)


def _translated(
    store: StudyStore, file: Path
) -> tuple[ForeignFormat, Translated, Mapping[ImageKey, ProblemReason]]:
    classes = store.taxonomy.class_wnids
    if _begins(file) == _PICKLE:
        return ForeignFormat.HUMAN_ACCURACY, translate_human_accuracy(file, classes), {}
    document = _json(file)
    images = _images(store)
    if isinstance(document, list):
        labels = check_real(document, file=str(file))
        return ForeignFormat.REAL, translate_real(labels, images, classes, file=file), {}
    judged = translate_judged(document, images, classes, file=file)
    problematic = {ImageKey(i.dataset, i.name): why for i, why in judged.problematic.items()}
    return ForeignFormat.JUDGED, judged.translated, problematic


def _begins(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(1)
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error


def _json(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    except ValueError as error:
        known = ", ".join(ForeignFormat)
        problem = (
            f"neither a pickle nor JSON, so none of {known}. "
            "A folder of the exchange format is given as a folder."
        )
        raise InputError(problem, file=file) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply to be read.", file=file) from error


def _images(store: StudyStore) -> list[KnownImage]:
    wnids = store.taxonomy.class_wnids
    with store.read() as study:
        return [
            KnownImage(dataset.name, image.name, wnids[image.target])
            for dataset in study.datasets.all(DatasetRole.EVALUATION)
            for image in study.model_predictions.images(dataset.name)
        ]
