"""CSV files that give images their targets: a flat folder's labels, and manifests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import InputError
from labeler.images.csv_rows import csv_rows

IMAGE_COLUMN = "image"
LABEL_COLUMNS = ("label", "wnid", "target")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One image and its label as they stand in the file, with their place."""

    line: int
    image: str
    label: str


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """Where a file keeps its images and its labels."""

    image: int
    label: int
    label_name: str
    count: int


def read_label_columns(file: Path) -> LabelColumns:
    """Find the two columns in a file's header, or say which one is missing."""
    return _columns(file, csv_rows(file))


def read_label_rows(file: Path) -> Iterator[LabelRow]:
    """The file's rows in order; blank lines don't count."""
    rows = csv_rows(file)
    columns = _columns(file, rows)
    for line, cells in rows:
        if not cells:
            continue
        if len(cells) != columns.count:
            raise InputError(
                f"the row has {len(cells)} fields, but the header has {columns.count}.",
                file=file,
                line=line,
            )
        yield LabelRow(
            line=line, image=cells[columns.image].strip(), label=cells[columns.label].strip()
        )


def _columns(file: Path, rows: Iterator[tuple[int, list[str]]]) -> LabelColumns:
    _, cells = next(rows, (1, []))
    header = [cell.strip().lower() for cell in cells]
    if IMAGE_COLUMN not in header:
        raise InputError(f"there is no column named {IMAGE_COLUMN}.", file=file, line=1)
    labels = [name for name in header if name in LABEL_COLUMNS]
    if not labels:
        raise InputError(
            f"there is no column of labels, which is named {_either(LABEL_COLUMNS)}.",
            file=file,
            line=1,
        )
    if len(labels) > 1 or header.count(IMAGE_COLUMN) > 1:
        raise InputError(
            "the header must name one column of images and one of labels, not several.",
            file=file,
            line=1,
        )
    return LabelColumns(
        image=header.index(IMAGE_COLUMN),
        label=header.index(labels[0]),
        label_name=cells[header.index(labels[0])].strip(),
        count=len(header),
    )


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
