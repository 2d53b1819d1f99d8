"""Importing properties of images, which become subsets of the results."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from labeler.core.errors import InputError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.study.exchange_rows import quoted
from labeler.core.text import count_noun
from labeler.formats.image_factors import MAX_VALUES, ImageFactors, read_image_factors
from labeler.formats.translation import KnownImage, images_by_file_name
from labeler.store.study_store import StudyStore

SEVERAL_IMAGES = (
    "{name} is the file name of several images of a dataset. Write the path relative to the "
    "dataset's folder, as in datasets.csv."
)
NO_KNOWN_IMAGE = "this file names no image of the study's evaluation datasets."


def import_factors(store: StudyStore, file: Path) -> tuple[str, ...]:
    """Replace the study's factors by those of the file; return sentences about them."""
    given = read_image_factors(file)
    known = _known_images(store, file, given.names)
    found = {name: _keys(images, known) for name, images in given.images.items()}
    present = {name: keys for name, keys in found.items() if keys}
    if not present:
        raise InputError(NO_KNOWN_IMAGE, file=file)
    with store.write() as study:
        before = study.image_factors.count()
        study.image_factors.replace(present)
        study.audit.record("factors imported", factors=len(present), before=before)
    return tuple(_sentences(given, known, present))


def remove_factors(store: StudyStore) -> str:
    """Remove the imported factors; return a sentence."""
    with store.write() as study:
        before = study.image_factors.count()
        study.image_factors.replace({})
        study.audit.record("factors removed", before=before)
    return f"Removed {count_noun(before, 'factor')}."


_Known = dict[str, list[ImageKey]]
_Found = dict[str, tuple[ImageKey, ...]]


def _known_images(store: StudyStore, file: Path, names: Iterable[str]) -> _Known:
    """Return the images that each name in the file means, in all evaluation datasets."""
    with store.read() as study:
        images = [
            KnownImage(dataset.name, image.name, "")
            for dataset in study.datasets.all(DatasetRole.EVALUATION)
            for image in study.model_predictions.images(dataset.name)
        ]
    by_name: dict[str, list[KnownImage]] = {}
    for image in images:
        by_name.setdefault(image.name, []).append(image)
    by_file_name = images_by_file_name(images)
    found: _Known = {}
    for name in names:
        meant = by_name.get(name) or by_file_name.get(name.rpartition("/")[2], ())
        datasets = [image.dataset for image in meant]
        if len(set(datasets)) < len(datasets):
            raise InputError(SEVERAL_IMAGES.format(name=quoted(name)), file=file)
        found[name] = [ImageKey(image.dataset, image.name) for image in meant]
    return found


def _keys(names: Iterable[str], known: _Known) -> tuple[ImageKey, ...]:
    return tuple(dict.fromkeys(key for name in sorted(names) for key in known[name]))


def _sentences(
    given: ImageFactors, known: _Known, present: dict[str, tuple[ImageKey, ...]]
) -> Iterator[str]:
    images = len({key for keys in present.values() for key in keys})
    yield f"Imported {count_noun(len(present), 'factor')} of {count_noun(images, 'image')}."
    missing = sum(not known[name] for name in given.names)
    if missing:
        sentence = count_noun(missing, "image of the file is", "images of the file are")
        yield f"{sentence} not in the study."
    if given.ignored:
        yield (
            f"Ignored, because of more than {MAX_VALUES} different values or none: "
            f"{', '.join(given.ignored)}."
        )
