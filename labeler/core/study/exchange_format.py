"""The exchange format, version 1: its files, their columns and their keys."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeFile:
    """One CSV file of the format; `key` names the columns that identify a row."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    optional: tuple[str, ...] = ()


DATASETS = ExchangeFile(
    name="datasets.csv",
    columns=("dataset", "image", "target", "path", "problematic"),
    key=("dataset", "image"),
)
PARTICIPANTS = ExchangeFile(
    name="participants.csv",
    columns=("participant", "kind", "description"),
    key=("participant",),
    optional=("name",),
)
PREDICTIONS = ExchangeFile(
    name="predictions.csv",
    columns=(
        "participant",
        "dataset",
        "image",
        "rank",
        "label",
        "score",
        "active_seconds",
        "wall_seconds",
        "shown_at",
        "escape_hatch",
        "alternative",
    ),
    key=("participant", "dataset", "image", "rank"),
)
REVIEWS = ExchangeFile(
    name="reviews.csv",
    columns=("reviewer", "dataset", "image", "label", "verdict", "kind", "stage", "at"),
    key=("reviewer", "dataset", "image", "label", "stage"),
)
MULTILABELS = ExchangeFile(
    name="multilabels.csv",
    columns=("dataset", "image", "label", "state"),
    key=("dataset", "image", "label"),
)

# In reading order: each file may refer to those before it.
EXCHANGE_FILES = (DATASETS, PARTICIPANTS, PREDICTIONS, REVIEWS, MULTILABELS)


@dataclass(frozen=True, slots=True)
class HeaderProblem:
    """What is wrong with a file's header, and in which column."""

    column: str
    problem: str


def header_problem(file: ExchangeFile, header: list[str]) -> HeaderProblem | None:
    """Return the first problem of a header; its columns may be in any order."""
    allowed = (*file.columns, *file.optional)
    unknown = [column for column in header if column not in allowed]
    repeated = sorted({column for column in header if header.count(column) > 1})
    missing = [column for column in file.columns if column not in header]
    for columns, what in ((unknown, "unknown"), (repeated, "repeated"), (missing, "missing")):
        if columns:
            return HeaderProblem(columns[0], _header_sentence(file, columns, what))
    return None


def _header_sentence(file: ExchangeFile, columns: list[str], what: str) -> str:
    named = ", ".join(f"'{column}'" for column in columns)
    subject = f"column {named} is" if len(columns) == 1 else f"columns {named} are"
    return f"the {subject} {what}. The header is {','.join(file.columns)}."
