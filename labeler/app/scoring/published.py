"""Published accuracies: timm's results files, as their makers distribute them."""

import csv
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError

_NEEDED = ("model", "top1", "top5", "param_count")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Published:
    """A model's accuracies in percent, and its parameters."""

    top1: float
    top5: float
    parameters: int


def read_results(file: Path) -> dict[str, Published]:
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


def _published(row: dict[str, str], file: Path, line: int) -> Published:
    values: dict[str, float] = {}
    for column in _NEEDED[1:]:
        try:
            values[column] = float((row[column] or "").replace(",", ""))
        except ValueError as error:
            problem = f"'{row[column]}' is no number."
            raise InputError(problem, file=file, line=line, column=column) from error
    return Published(values["top1"], values["top5"], round(values["param_count"] * _MILLION))
