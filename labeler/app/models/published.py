"""Published accuracies: timm's results files, as their makers distribute them."""

import csv
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError

_NEEDED = ("model", "top1", "top5", "param_count")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class PublishedAccuracy:
    """A model's accuracies in percent, the second and its parameters where they are told."""

    top1: float
    top5: float | None
    parameters: int | None


def read_published_results(file: Path) -> dict[str, PublishedAccuracy]:
    """The accuracies in a results file, by model."""
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            reader = csv.DictReader(opened)
            missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                problem = f"the column {missing[0]} is missing; this is no results file of timm's."
                raise InputError(problem, file=file, line=1)
            return {row["model"]: _published(row, file, reader.line_num) for row in reader}
    except UnicodeDecodeError as error:
        raise InputError("this is no text file.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error


def _published(row: dict[str, str], file: Path, line: int) -> PublishedAccuracy:
    top1 = _number(row, "top1", file, line)
    top5 = _number(row, "top5", file, line) if row["top5"] else None
    if not row["param_count"]:
        return PublishedAccuracy(top1, top5, None)
    millions = _number(row, "param_count", file, line)
    return PublishedAccuracy(top1, top5, round(millions * _MILLION))


def _number(row: dict[str, str], column: str, file: Path, line: int) -> float:
    try:
        return float((row[column] or "").replace(",", ""))
    except ValueError as error:
        problem = f"'{row[column]}' is no number."
        raise InputError(problem, file=file, line=line, column=column) from error
