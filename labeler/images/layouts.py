"""Detect the layout of a dataset's folder from names alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.core.text import count_noun
from labeler.images.dataset_files import IgnoredReason
from labeler.images.folders import (
    FolderEntry,
    image_objection,
    is_index_name,
    is_wnid_name,
    path_objection,
    sorted_entries,
    stray_reason,
    wnid_in_name,
)
from labeler.images.labels_file import read_label_columns

LABELS_FILE_NAME = "labels.csv"
_NAMED_AT_MOST = 3


PATH_MISSING = "The folder or file {path} doesn't exist. Check the spelling."


class DatasetLayout(StrEnum):
    """How the targets of a dataset's images are given."""

    WNID = "wnid"
    INDEX = "index"
    FLAT = "flat"
    NAMED = "named"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True)
class RecognisedLayout:
    """The layout of a dataset, and a sentence that explains how it was detected.

    The `example` and the `folders` of classes were chosen by their names alone.
    """

    layout: DatasetLayout
    sentence: str
    example: str = ""
    folders: tuple[str, ...] = ()

    def with_example(self, name: str) -> str:
        """Return the sentence with another image as its example."""
        return self.sentence.replace(self.example, name, 1) if self.example else self.sentence


@dataclass(frozen=True, slots=True)
class _Survey:
    """The entries at the top of a folder."""

    wnid_folders: tuple[Path, ...]
    index_folders: tuple[Path, ...]
    other_folders: tuple[Path, ...]
    loose_images: tuple[str, ...]
    outside_links: int = 0


def recognise_layout(path: Path, *, labels: Path | None = None) -> RecognisedLayout:
    """Return the layout of a dataset, or raise an error that says what to change."""
    if path.is_file():
        return _recognise_file(path, labels)
    if not path.exists():
        raise RefusedError(PATH_MISSING.format(path=path))
    survey = _survey(path)
    if labels is not None:
        return _flat(survey, labels)
    _refuse_mixture(path, survey)
    if survey.wnid_folders:
        return _by_class(path, DatasetLayout.WNID, survey.wnid_folders, survey.other_folders)
    if survey.index_folders:
        in_order = sorted(survey.index_folders, key=lambda folder: int(folder.name))
        return _by_class(path, DatasetLayout.INDEX, in_order, survey.other_folders)
    return _recognise_flat(path, survey)


def find_labels_file(folder: Path) -> Path | None:
    """Return the labels file in a flat folder or next to it, or None."""
    candidate = folder.resolve().parent / LABELS_FILE_NAME
    return next((file for file in (folder / LABELS_FILE_NAME, candidate) if file.is_file()), None)


def base_folder(path: Path, layout: DatasetLayout) -> Path:
    """Return the folder that the names of a dataset's images are relative to."""
    return path.parent.resolve() if layout is DatasetLayout.MANIFEST else path.resolve()


def _survey(path: Path) -> _Survey:
    root = path.resolve()
    entries = sorted_entries(path)
    folders = [Path(entry.path) for entry in entries if stray_reason(entry, root) is None]
    return _Survey(
        wnid_folders=tuple(folder for folder in folders if is_wnid_name(folder.name)),
        index_folders=tuple(folder for folder in folders if is_index_name(folder.name)),
        other_folders=tuple(
            folder
            for folder in folders
            if not is_wnid_name(folder.name) and not is_index_name(folder.name)
        ),
        loose_images=tuple(entry.name for entry in entries if image_objection(entry, root) is None),
        outside_links=_outside_links(entries, root),
    )


def _outside_links(entries: Iterable[FolderEntry], root: Path) -> int:
    return sum(
        entry.is_symlink() and path_objection(Path(entry.path), root) is IgnoredReason.OUTSIDE_LINK
        for entry in entries
    )


def _links_advice(count: int) -> str:
    """Return advice about links that lead out of the folder."""
    if not count:
        return ""
    lead = count_noun(count, "link leads", "links lead")
    return (
        f" {lead} out of the folder and can't be followed, because the files there may change. "
        "Choose the folder that contains the files, or copy them."
    )


def _refuse_mixture(path: Path, survey: _Survey) -> None:
    kinds = (
        ("folder", "named by wnid", survey.wnid_folders),
        ("folder", "named by class index", survey.index_folders),
        ("image", "outside any folder", survey.loose_images),
    )
    found = [f"{count_noun(len(things), noun)} {what}" for noun, what, things in kinds if things]
    if len(found) > 1:
        raise RefusedError(
            f"{path} mixes layouts: {' and '.join(found)}. Separate them, or choose one layout.",
            by_command="Use --layout.",
        )


def _by_class(
    path: Path, layout: DatasetLayout, folders: Sequence[Path], others: Sequence[Path]
) -> RecognisedLayout:
    naming = "wnid" if layout is DatasetLayout.WNID else "class index"
    count = count_noun(len(folders), "folder")
    example = _first_image(path.resolve(), folders)
    if example is None:
        root = path.resolve()
        links = sum(_outside_links(sorted_entries(folder), root) for folder in folders)
        advice = _links_advice(links)
        raise RefusedError(f"{path} has {count} named by {naming}, but no image in them.{advice}")
    left_out = f"; {count_noun(len(others), 'other folder')} left out" if others else ""
    sentence = f"{count} named by {naming}, for example {example}{left_out}."
    return RecognisedLayout(layout, sentence, example, tuple(folder.name for folder in folders))


def _first_image(root: Path, folders: Sequence[Path]) -> str | None:
    for folder in folders:
        for entry in sorted_entries(folder):
            if image_objection(entry, root) is None:
                return f"{folder.name}/{entry.name}"
    return None


def _recognise_flat(path: Path, survey: _Survey) -> RecognisedLayout:
    labels = find_labels_file(path)
    if survey.loose_images and labels is not None:
        return _flat(survey, labels)
    named = [name for name in survey.loose_images if wnid_in_name(name) is not None]
    if named and not _is_class_folder(path):
        return _named(survey, named)
    if survey.loose_images:
        raise RefusedError(
            f"{path} has {count_noun(len(survey.loose_images), 'image')} but no labels. "
            f"{_parent_folder_advice(path)} a {LABELS_FILE_NAME} with the columns image and wnid "
            "there, or choose another labels file.",
            by_command="Use --labels FILE.",
        )
    if survey.other_folders:
        names = ", ".join(folder.name for folder in survey.other_folders[:_NAMED_AT_MOST])
        raise RefusedError(
            f"{path} has no folders named by wnid (n02361337) or class index (0…999), but others "
            f"({names}). Choose the one that contains the folders of the classes."
        )
    advice = _links_advice(survey.outside_links)
    raise RefusedError(
        f"{path} has no images. Choose the folder that contains the dataset.{advice}"
    )


def _parent_folder_advice(path: Path) -> str:
    """Return the start of the advice, for a folder that may be a single class."""
    if _is_class_folder(path):
        parent = path.resolve().parent
        return f"If this is one of the classes in {parent}, choose that folder. Otherwise put"
    return "Name the files by class, such as n02361337_10.JPEG, or put"


def _is_class_folder(path: Path) -> bool:
    name = path.resolve().name
    return is_wnid_name(name) or is_index_name(name)


def _flat(survey: _Survey, labels: Path) -> RecognisedLayout:
    read_label_columns(labels)
    first = survey.loose_images[0] if survey.loose_images else ""
    example = f", for example {first}" if first else ""
    count = count_noun(len(survey.loose_images), "image")
    sentence = f"{count} in one folder{example}, with labels in {labels}."
    return RecognisedLayout(DatasetLayout.FLAT, sentence, first)


def _named(survey: _Survey, named: Sequence[str]) -> RecognisedLayout:
    others = len(survey.loose_images) - len(named)
    left_out = f"; {count_noun(others, 'image')} without a wnid left out" if others else ""
    count = count_noun(len(named), "image")
    sentence = f"{count} in one folder, named by wnid, for example {named[0]}{left_out}."
    return RecognisedLayout(DatasetLayout.NAMED, sentence, named[0])


def _recognise_file(path: Path, labels: Path | None) -> RecognisedLayout:
    if path.suffix.lower() != ".csv":
        raise RefusedError(
            f"{path} is neither a folder nor a CSV with the columns image and label."
        )
    if labels is not None:
        raise RefusedError(
            f"{path} is a manifest, which contains the labels. Don't give a labels file.",
            by_command="Leave out --labels.",
        )
    label = read_label_columns(path).label_name
    return RecognisedLayout(
        DatasetLayout.MANIFEST, f"A manifest with the columns image and {label}."
    )
