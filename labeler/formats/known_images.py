"""The images of a study that a file about ImageNet's own images can speak of."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownImage:
    """An image of an evaluation dataset, with its target."""

    dataset: str
    name: str
    target: str

    @property
    def file_name(self) -> str:
        """Its name without folders, as files about ImageNet name it."""
        return self.name.rpartition("/")[2]


def by_file_name(images: Iterable[KnownImage]) -> dict[str, KnownImage]:
    return {image.file_name: image for image in images}
