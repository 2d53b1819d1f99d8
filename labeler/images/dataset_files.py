"""Files in a dataset's folder that are not imported, each with its reason."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class WhyIgnored(StrEnum):
    """Why a file or folder inside a dataset's folder is left out."""

    HIDDEN = "hidden"
    NOT_AN_IMAGE = "not_an_image"
    NOT_A_FILE = "not_a_file"
    NOT_IN_LABELS = "not_in_labels"
    OUTSIDE_CLASS_FOLDERS = "outside_class_folders"
    OTHER_FOLDER = "other_folder"
    OUTSIDE_LINK = "outside_link"
    MISSING = "missing"
    UNDECODABLE_NAME = "undecodable_name"

    @property
    def fragment(self) -> str:
        """What follows "1 file …" as well as "3 files …" or folders in a summary."""
        return _FRAGMENTS[self]


_FRAGMENTS = {
    WhyIgnored.HIDDEN: "with a hidden name",
    WhyIgnored.NOT_AN_IMAGE: "whose name is not that of an image",
    WhyIgnored.NOT_A_FILE: "of no plain kind",
    WhyIgnored.NOT_IN_LABELS: "that the labels don't mention",
    WhyIgnored.OUTSIDE_CLASS_FOLDERS: "outside the folders of the classes",
    WhyIgnored.OTHER_FOLDER: "of another kind",
    WhyIgnored.OUTSIDE_LINK: "behind a link out of the dataset's folder",
    WhyIgnored.MISSING: "behind a link to nothing",
    WhyIgnored.UNDECODABLE_NAME: "whose name is not valid text",
}

assert set(_FRAGMENTS) == set(WhyIgnored)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A file or folder that is left out, by its name relative to the dataset's folder."""

    name: str
    why: WhyIgnored

    def __post_init__(self) -> None:
        # A name that is not UTF-8 must not break the summary that reports it.
        object.__setattr__(self, "name", self.name.encode(errors="replace").decode())


OnIgnored = Callable[[Ignored], None]
