"""An image of a dataset, known by name only."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ListedImage:
    """An image by its name ('/'-separated, relative to the dataset's folder) and its target.

    Its place on the disk is text: of a million listed images, few are ever opened.
    """

    name: str
    place: str
    target: str

    @property
    def path(self) -> Path:
        return Path(self.place)
