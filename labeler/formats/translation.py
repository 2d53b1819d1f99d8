"""The contents of a foreign file as rows of the exchange format."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from labeler.core.study.exchange_format import ExchangeFile


@dataclass(frozen=True, slots=True)
class KnownImage:
    """An image of an evaluation dataset with its target."""

    dataset: str
    name: str
    target: str

    @property
    def file_name(self) -> str:
        """Return the name without folders, as in files about ImageNet."""
        return self.name.rpartition("/")[2]


def images_by_file_name(images: Iterable[KnownImage]) -> Mapping[str, Sequence[KnownImage]]:
    """Return the images by name, with and without extension: some files leave it out."""
    named: dict[str, list[KnownImage]] = defaultdict(list)
    for image in images:
        name = image.file_name
        for known_as in {name, name.rpartition(".")[0] or name}:
            named[known_as].append(image)
    return dict(named)


ExchangeRow = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """Rows by file, each with all columns of the file, and notes for the user."""

    rows: Mapping[ExchangeFile, Iterable[ExchangeRow]]
    notes: tuple[str, ...] = ()
