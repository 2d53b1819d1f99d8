"""Looking into folders by name only: what is in them, and what of it may be an image."""

import os
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.images.dataset_files import IgnoredReason
from labeler.images.formats import FORMAT_BY_EXTENSION

FolderEntry = os.DirEntry[str]


def sorted_entries(folder: Path) -> list[FolderEntry]:
    """Everything in a folder, by name, without asking the disk about each file."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except PermissionError:
        raise EnvironmentFault(
            f"The folder {folder} may not be read: change its permissions."
        ) from None
    except (FileNotFoundError, NotADirectoryError):
        raise RefusedError(
            f"{folder} is not a folder, or isn't there any more: check how it is spelled, and that "
            "its drive is connected."
        ) from None


def image_objection(entry: FolderEntry, root: Path) -> IgnoredReason | None:
    """Why a folder's entry can't be listed as an image, or None if it can."""
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
    """Why a name alone rules its file or folder out, or None if it doesn't."""
    if name.startswith("."):
        return IgnoredReason.HIDDEN
    # Names that are not UTF-8 come with surrogates, which neither a database nor a CSV can hold.
    return None if _is_text(name) else IgnoredReason.UNDECODABLE_NAME


def path_objection(path: Path, root: Path) -> IgnoredReason | None:
    """Why a path leads nowhere, or out of the dataset's (already resolved) folder."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return IgnoredReason.MISSING
    return None if target.is_relative_to(root) else IgnoredReason.OUTSIDE_LINK


def has_image_name(name: str) -> bool:
    """Whether a file's extension promises an image."""
    _, dot, extension = name.rpartition(".")
    return dot + extension.lower() in FORMAT_BY_EXTENSION


def _is_plain_image(entry: FolderEntry) -> bool:
    """Whether it is beyond doubt, as nearly all of a million entries are."""
    name = entry.name
    plain = entry.is_file(follow_symlinks=False) and name.isascii() and not name.startswith(".")
    return plain and has_image_name(name)


def _link_objection(path: Path, root: Path) -> IgnoredReason | None:
    """Why a link can't be listed as an image, or None if it leads to one inside the root."""
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
