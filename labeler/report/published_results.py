"""Published results as distributed with timm, shown in the background of a figure."""

import csv
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import InputError


@dataclass(frozen=True, slots=True)
class PublishedPoint:
    """A model's published top-1 accuracies on two datasets, as fractions."""

    model: str
    x: float
    y: float


def read_published_points(original: Path, new: Path) -> tuple[PublishedPoint, ...]:
    """Return the models that are in both files, in the order of the first."""
    first, second = _top1(original), _top1(new)
    return tuple(PublishedPoint(m, first[m], second[m]) for m in first if m in second)


def _top1(file: Path) -> dict[str, float]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [c for c in ("model", "top1") if c not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    f"the column {missing[0]} is missing; timm's results have model and top1.",
                    file=file,
                    line=1,
                )
            return {row["model"]: _share(row, file, reader.line_num) for row in reader}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the file can't be read as results ({error}).", file=file) from error


def _share(row: dict[str, str], file: Path, line: int) -> float:
    try:
        share = float(row["top1"]) / 100
    except (TypeError, ValueError):
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise InputError(
            f"'{row['top1']}' is not an accuracy in percent.", file=file, line=line, column="top1"
        )
    return share
