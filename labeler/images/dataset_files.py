"""The images of a dataset's folder, and files that are left out with the reason."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ListedImage:
    """An image by its name ('/'-separated, relative to the dataset's folder) and its target.

    Its path is a string, because of a million listed images few are ever opened.
    """

    name: str
    place: str
    target: str

    @property
    def path(self) -> Path:
        return Path(self.place)


class IgnoredReason(StrEnum):
    """Why a file or folder inside a dataset's folder is left out."""

    HIDDEN = "hidden"
    NOT_AN_IMAGE = "not_an_image"
    NOT_A_FILE = "not_a_file"
    NOT_IN_LABELS = "not_in_labels"
    NOT_NAMED = "not_named"
    OUTSIDE_CLASS_FOLDERS = "outside_class_folders"
    OTHER_FOLDER = "other_folder"
    OUTSIDE_LINK = "outside_link"
    MISSING = "missing"
    UNDECODABLE_NAME = "undecodable_name"

    @property
    def fragment(self) -> str:
        """Return the text that follows "1 file" or "3 files" or folders in a summary."""
        return _FRAGMENTS[self]


_FRAGMENTS = {
    IgnoredReason.HIDDEN: "with a hidden name",
    IgnoredReason.NOT_AN_IMAGE: "without the extension of an image",
    IgnoredReason.NOT_A_FILE: "of a special type",
    IgnoredReason.NOT_IN_LABELS: "that the labels don't mention",
    IgnoredReason.NOT_NAMED: "without a wnid in the name",
    IgnoredReason.OUTSIDE_CLASS_FOLDERS: "outside the folders of the classes",
    IgnoredReason.OTHER_FOLDER: "of another type",
    IgnoredReason.OUTSIDE_LINK: "behind a link out of the dataset's folder",
    IgnoredReason.MISSING: "behind a link to nothing",
    IgnoredReason.UNDECODABLE_NAME: "whose name is not valid text",
}

assert set(_FRAGMENTS) == set(IgnoredReason)


@dataclass(frozen=True, slots=True)
class IgnoredFile:
    """A file or folder that is left out, by its name relative to the dataset's folder."""

    name: str
    why: IgnoredReason

    def __post_init__(self) -> None:
        # A name that isn't UTF-8 must not break the summary.
        object.__setattr__(self, "name", self.name.encode(errors="replace").decode())


OnIgnored = Callable[[IgnoredFile], None]
