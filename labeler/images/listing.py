"""List the images of a dataset in a fixed order, without reading them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.images.dataset_files import IgnoredFile, IgnoredReason, ListedImage, OnIgnored
from labeler.images.folders import (
    ClassFolder,
    class_folder_images,
    image_objection,
    index_folders,
    is_index_name,
    is_wnid_name,
    require_classes,
    sorted_entries,
    stray_reason,
    wnid_folders,
    wnid_in_name,
)
from labeler.images.labels_file import LabelsFileReader
from labeler.images.layouts import LABELS_FILE_NAME, DatasetLayout, base_folder, find_labels_file


def list_images(
    path: Path,
    layout: DatasetLayout,
    *,
    labels: Path | None = None,
    classes: Sequence[str],
    on_ignored: OnIgnored,
) -> Iterator[ListedImage]:
    """Yield the images of a dataset in a fixed order; report files that are left out."""
    root = base_folder(path, layout)
    match layout:
        case DatasetLayout.WNID:
            folders = wnid_folders(_named(root, layout, on_ignored), classes)
            return _in_folders(root, folders, on_ignored)
        case DatasetLayout.INDEX:
            folders = index_folders(_named(root, layout, on_ignored), classes)
            return _in_folders(root, folders, on_ignored)
        case DatasetLayout.FLAT:
            return _flat(root, _labels_of(root, labels), classes, on_ignored)
        case DatasetLayout.NAMED:
            return iter(_named_images(root, classes, on_ignored))
        case DatasetLayout.MANIFEST:
            return LabelsFileReader(path, root=root, classes=classes).read(on_ignored)


def _named(root: Path, layout: DatasetLayout, on_ignored: OnIgnored) -> list[Path]:
    """Return the class folders of a layout; report all other entries at the top."""
    fits = is_wnid_name if layout is DatasetLayout.WNID else is_index_name
    folders = []
    for entry in sorted_entries(root):
        why = stray_reason(entry, root)
        if why is None and fits(entry.name):
            folders.append(root / entry.name)
        else:
            on_ignored(IgnoredFile(name=entry.name, why=why or IgnoredReason.OTHER_FOLDER))
    if not folders:
        naming = "wnid" if layout is DatasetLayout.WNID else "class index"
        raise RefusedError(f"{root} has no folders named by {naming}. Choose another layout.")
    return folders


def _in_folders(
    root: Path, folders: Sequence[ClassFolder], on_ignored: OnIgnored
) -> Iterator[ListedImage]:
    for folder in folders:
        within = f"{folder.path.name}/"
        entries = sorted_entries(folder.path)
        for entry in class_folder_images(folder, entries, root=root, on_ignored=on_ignored):
            yield ListedImage(within + entry.name, entry.path, folder.target)


def _named_images(root: Path, classes: Sequence[str], on_ignored: OnIgnored) -> list[ListedImage]:
    """Return the images whose names contain a wnid, sorted by class; report all others."""
    images: list[ListedImage] = []
    for entry in sorted_entries(root):
        wnid = wnid_in_name(entry.name)
        why = image_objection(entry, root)
        if why is None and wnid is not None:
            images.append(ListedImage(entry.name, entry.path, wnid))
        else:
            on_ignored(IgnoredFile(name=entry.name, why=why or IgnoredReason.NOT_NAMED))
    if not images:
        raise RefusedError(f"{root} has no images named by wnid. Choose another layout.")
    images.sort(key=lambda image: image.target)
    wnids = list(dict.fromkeys(image.target for image in images))
    require_classes(wnids, classes, noun="image")
    return images


def _labels_of(root: Path, labels: Path | None) -> Path:
    found = labels or find_labels_file(root)
    if found is None:
        raise RefusedError(
            f"{root} has no labels. Put a {LABELS_FILE_NAME} with the columns image and wnid "
            "there, or choose another labels file.",
            by_command="Use --labels FILE.",
        )
    return found


def _flat(
    root: Path, labels: Path, classes: Sequence[str], on_ignored: OnIgnored
) -> Iterator[ListedImage]:
    files = LabelsFileReader(labels, root=root, classes=classes)
    yield from files.read(on_ignored)
    _report_unlabeled(root, labels, files.names, on_ignored)


def _report_unlabeled(
    root: Path, labels: Path, labeled: frozenset[str], on_ignored: OnIgnored
) -> None:
    # A folder counts as labeled if an image inside it is.
    known = {name.partition("/")[0] for name in labeled}
    labels = labels.resolve()
    for entry in sorted_entries(root):
        if entry.name in known or root / entry.name == labels:
            continue
        why = image_objection(entry, root) or IgnoredReason.NOT_IN_LABELS
        on_ignored(IgnoredFile(name=entry.name, why=why))
