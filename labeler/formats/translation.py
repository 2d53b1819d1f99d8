"""What a foreign file says, as files of the exchange format."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from labeler.core.study.exchange_format import ExchangeFile


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


def images_by_file_name(images: Iterable[KnownImage]) -> Mapping[str, Sequence[KnownImage]]:
    """The images of each name, with and without its extension: some files leave it out."""
    named: dict[str, list[KnownImage]] = defaultdict(list)
    for image in images:
        name = image.file_name
        for known_as in {name, name.rpartition(".")[0] or name}:
            named[known_as].append(image)
    return dict(named)


ExchangeRow = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Translation:
    """Rows by file, each with all of the file's columns, and what the reader should know."""

    rows: Mapping[ExchangeFile, Iterable[ExchangeRow]]
    notes: tuple[str, ...] = ()
