"""An image of a dataset, known by name only."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ListedImage:
    """An image by its name ('/'-separated, relative to the dataset's folder) and its target."""

    name: str
    path: Path
    target: str
