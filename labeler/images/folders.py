"""List folders and decide by name which entries may be images or folders of classes."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.images.dataset_files import IgnoredFile, IgnoredReason, OnIgnored
from labeler.images.pillow import FORMAT_BY_EXTENSION

FolderEntry = os.DirEntry[str]


def sorted_entries(folder: Path) -> list[FolderEntry]:
    """Return the entries of a folder by name, without a stat call for each file."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except PermissionError:
        raise EnvironmentFault(
            f"You have no permission to read the folder {folder}. Change its permissions."
        ) from None
    except (FileNotFoundError, NotADirectoryError):
        raise RefusedError(
            f"{folder} isn't a folder or no longer exists. Check the spelling, and that its drive "
            "is connected."
        ) from None


def image_objection(entry: FolderEntry, root: Path) -> IgnoredReason | None:
    """Return why an entry can't be listed as an image, or None if it can."""
    if _is_plain_image(entry):
        return None
    if (objection := name_objection(entry.name)) is not None:
        return objection
    if entry.is_symlink():
        return _link_objection(Path(entry.path), root)
    if entry.is_dir():
        return IgnoredReason.OTHER_FOLDER
    if not has_image_name(entry.name):
        return IgnoredReason.NOT_AN_IMAGE
    return None if entry.is_file() else IgnoredReason.NOT_A_FILE


def name_objection(name: str) -> IgnoredReason | None:
    """Return why a file or folder is left out because of its name, or None."""
    if name.startswith("."):
        return IgnoredReason.HIDDEN
    # Names that aren't UTF-8 contain surrogates, which a database or CSV can't store.
    return None if _is_text(name) else IgnoredReason.UNDECODABLE_NAME


def path_objection(path: Path, root: Path) -> IgnoredReason | None:
    """Return why a path can't be used: a broken link, or one out of the resolved root."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return IgnoredReason.MISSING
    return None if target.is_relative_to(root) else IgnoredReason.OUTSIDE_LINK


def has_image_name(name: str) -> bool:
    """Return whether the extension is that of an image."""
    _, dot, extension = name.rpartition(".")
    return dot + extension.lower() in FORMAT_BY_EXTENSION


def _is_plain_image(entry: FolderEntry) -> bool:
    """Return whether an entry is a plain image file, as nearly all entries are."""
    name = entry.name
    plain = entry.is_file(follow_symlinks=False) and name.isascii() and not name.startswith(".")
    return plain and has_image_name(name)


def _link_objection(path: Path, root: Path) -> IgnoredReason | None:
    """Return why a link can't be listed, or None if it leads to an image inside the root."""
    objection = path_objection(path, root)
    if objection is not None:
        return objection
    if path.is_dir():
        return IgnoredReason.OTHER_FOLDER
    if not has_image_name(path.name):
        return IgnoredReason.NOT_AN_IMAGE
    return None if path.is_file() else IgnoredReason.NOT_A_FILE


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


_WNID = re.compile(r"n[0-9]{8}")
# ImageNet's own names, and those of the common archives of its validation images.
_NAMED = re.compile(r"(n[0-9]{8})_.+|.+_(n[0-9]{8})\.[^.]+")
_INDEX = re.compile(r"[0-9]+")
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class ClassFolder:
    """The folder of one class's images."""

    path: Path
    target: str


def is_wnid_name(name: str) -> bool:
    """Return whether a folder's name is a wnid."""
    return _WNID.fullmatch(name) is not None


def wnid_in_name(name: str) -> str | None:
    """Return the wnid in a file's name, such as n01440764_10.JPEG, or None."""
    found = _NAMED.fullmatch(name)
    return None if found is None else found[1] or found[2]


def is_index_name(name: str) -> bool:
    """Return whether a folder's name is a number."""
    return _INDEX.fullmatch(name) is not None


def wnid_folders(folders: Sequence[Path], classes: Sequence[str]) -> list[ClassFolder]:
    """Return the folders named by wnid, sorted; refuse a wnid that isn't a class."""
    require_classes([folder.name for folder in folders], classes, noun="folder")
    return [ClassFolder(path=folder, target=folder.name) for folder in sorted(folders)]


def require_classes(wnids: Sequence[str], classes: Sequence[str], *, noun: str) -> None:
    """Refuse wnids that aren't classes of the study; `noun` is what is named by them."""
    known = set(classes)
    unknown = [wnid for wnid in wnids if wnid not in known]
    if unknown:
        raise RefusedError(
            f"{_some(unknown, noun)} not among the study's {len(known):,} classes. Move {noun}s "
            "that shouldn't be classified out of the dataset's folder, or create a study with a "
            "taxonomy that includes them."
        )


def index_folders(folders: Sequence[Path], classes: Sequence[str]) -> list[ClassFolder]:
    """Return the folders named by class index, in numeric order; refuse an unknown index."""
    # Class indices count the sorted wnids, whatever order the caller keeps its classes in.
    wnids = sorted(classes)
    by_index: dict[int, Path] = {}
    for folder in sorted(folders):
        index = int(folder.name)
        if index >= len(wnids):
            raise RefusedError(
                f"The name of the folder {folder} isn't a class index. Indices go from 0 to "
                f"{len(wnids) - 1}."
            )
        if index in by_index:
            raise RefusedError(
                f"The folders {by_index[index].name} and {folder.name} in {folder.parent} "
                "are the same class. Merge them."
            )
        by_index[index] = folder
    return [ClassFolder(path=by_index[index], target=wnids[index]) for index in sorted(by_index)]


def stray_reason(entry: FolderEntry, root: Path) -> IgnoredReason | None:
    """Return why a top-level entry can't be a class folder, or None if it may be one."""
    if (objection := name_objection(entry.name)) is not None:
        return objection
    if entry.is_symlink() and (objection := path_objection(Path(entry.path), root)) is not None:
        return objection
    return None if entry.is_dir() else IgnoredReason.OUTSIDE_CLASS_FOLDERS


def class_folder_images(
    folder: ClassFolder, entries: Sequence[FolderEntry], *, root: Path, on_ignored: OnIgnored
) -> list[FolderEntry]:
    """Yield the images of a class folder; report other entries."""
    images = []
    for entry in entries:
        objection = image_objection(entry, root)
        if objection is None:
            images.append(entry)
        else:
            on_ignored(IgnoredFile(name=f"{folder.path.name}/{entry.name}", why=objection))
    return images


def _some(wnids: Sequence[str], noun: str) -> str:
    shown = ", ".join(wnids[:_NAMED_AT_MOST])
    if len(wnids) == 1:
        return f"The {noun} {shown} is"
    more = len(wnids) - _NAMED_AT_MOST
    return f"The {noun}s {shown}{f' and {more:,} more' if more > 0 else ''} are"
