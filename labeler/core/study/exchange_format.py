"""The exchange format, version 2: its files, their columns and their keys."""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

# The number of a correction. In a file without this column each row is the only revision.
REVISION = "revision"


class ColumnKind(StrEnum):
    """What the values of a column are; in a CSV file all are written as text."""

    TEXT = "text"
    WHOLE = "whole number"
    DECIMAL = "decimal number"
    FLAG = "flag"
    TIME = "time"


_DECIMALS = ("score", "active_seconds", "wall_seconds")
_FLAGS = ("escape_hatch", "known_image")
_TIMES = ("shown_at", "committed_at", "submitted_at", "at", "withdrawn_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeFile:
    """One CSV file of the format; `key` names the columns that identify a row.

    A file must have `columns`, which an older version of the format already had, or which belong
    to a new file. The columns in `added` may be missing in a file, but are always exported, and
    those in `last` follow them and may not be missing. `optional` columns are exported on request
    only. `whole` are the columns with whole numbers.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    added: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """The name without its extension, which is another one for Parquet."""
        return PurePath(self.name).stem

    @property
    def exported(self) -> tuple[str, ...]:
        """The columns of an export, without those on request."""
        return (*self.columns, *self.added, *self.last)

    def key_in(self, header: Container[str]) -> tuple[str, ...]:
        """Return the key in a file with these columns: a file may have several revisions."""
        return (*self.key, REVISION) if REVISION in header else self.key

    def kind_of(self, column: str) -> ColumnKind:
        """Return what the values of a column are."""
        kinds = {
            ColumnKind.WHOLE: self.whole,
            ColumnKind.DECIMAL: _DECIMALS,
            ColumnKind.FLAG: _FLAGS,
            ColumnKind.TIME: _TIMES,
        }
        return next((kind for kind, names in kinds.items() if column in names), ColumnKind.TEXT)


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
    added=("confidence", "known_image", "note", "committed_at", REVISION),
    whole=("rank", "confidence", REVISION),
)
REVIEWS = ExchangeFile(
    name="reviews.csv",
    columns=("reviewer", "dataset", "image", "label", "verdict", "kind", "stage", "at"),
    key=("reviewer", "dataset", "image", "label", "stage"),
    added=("origin", "step", "active_seconds", "note", REVISION),
    whole=(REVISION,),
)
MULTILABELS = ExchangeFile(
    name="multilabels.csv",
    columns=("dataset", "image", "label", "state"),
    key=("dataset", "image", "label"),
)
ADJUDICATIONS = ExchangeFile(
    name="adjudications.csv",
    columns=("by", "dataset", "image", "label", "verdict", "stage", "note", "at"),
    key=("dataset", "image", "label", "stage", "at"),
)
FLAGS = ExchangeFile(
    name="flags.csv",
    columns=("participant", "dataset", "image", "reason", "note", "at", "withdrawn_at"),
    key=("participant", "dataset", "image", "reason", "at"),
)
GRIDS = ExchangeFile(
    name="grids.csv",
    columns=("grid", "label", "position", "dataset", "image", "role"),
    key=("grid", "position"),
    whole=("position",),
)
CONTAINS_ANSWERS = ExchangeFile(
    name="contains_answers.csv",
    columns=("participant", "grid", "selected", "active_seconds", "submitted_at", "state"),
    key=("participant", "grid"),
)
SELECTION_FREQUENCIES = ExchangeFile(
    name="selection_frequencies.csv",
    columns=("dataset", "image", "label", "selected", "shown"),
    key=("dataset", "image", "label"),
    whole=("selected", "shown"),
)
CANDIDATE_LABELS = ExchangeFile(
    name="candidate_labels.csv",
    columns=("dataset", "image", "label", "place", "reason"),
    key=("dataset", "image", "label"),
    whole=("place",),
)
CLASSIFY_ANSWERS = ExchangeFile(
    name="classify_answers.csv",
    columns=(
        "participant",
        "dataset",
        "image",
        "labels",
        "main",
        "active_seconds",
        "submitted_at",
    ),
    key=("participant", "dataset", "image"),
)
OBJECTS = ExchangeFile(
    name="objects.csv",
    columns=("dataset", "image", "object", "label", "ticked", "answers", "object_label"),
    key=("dataset", "image", "object", "label"),
    whole=("object", "ticked", "answers"),
)
IMAGE_SUMMARIES = ExchangeFile(
    name="image_summaries.csv",
    columns=(
        "dataset",
        "image",
        "status",
        "answers",
        "num_objects",
        "confidence",
        "main_label",
        "main_picks",
        "main_object",
        "target_object",
        "optimal_partitions",
        "ties",
    ),
    key=("dataset", "image"),
)
CANDIDATES = ExchangeFile(
    name="candidates.csv",
    columns=(
        "pool",
        "image",
        "label",
        "path",
        "source",
        "source_id",
        "query",
        "taken_at",
        "uploaded_at",
        "rejected",
    ),
    key=("pool", "image"),
)
BUILT_DATASETS = ExchangeFile(
    name="built_datasets.csv",
    columns=(
        "dataset",
        "revision",
        "parent",
        "strategy",
        "parameters",
        "seed",
        "made_at",
        "state",
    ),
    key=("dataset", "revision"),
)
BUILT_IMAGES = ExchangeFile(
    name="built_images.csv",
    columns=("dataset", "revision", "pool", "image", "label", "bin", "from_bin", "carried"),
    key=("dataset", "revision", "image"),
)
CLASS_REVIEWS = ExchangeFile(
    name="class_reviews.csv",
    columns=("dataset", "revision", "label", "reviewed", "needs_work", "reviewer", "at"),
    key=("dataset", "revision", "label", "reviewer"),
)
NEAR_DUPLICATES = ExchangeFile(
    name="near_duplicates.csv",
    columns=(
        "dataset_a",
        "image_a",
        "dataset_b",
        "image_b",
        "metric",
        "distance",
        "verdict",
        "reviewer",
        "at",
    ),
    key=("dataset_a", "image_a", "dataset_b", "image_b", "metric", "reviewer"),
)
CROWD_FILES = (
    GRIDS,
    CONTAINS_ANSWERS,
    SELECTION_FREQUENCIES,
    CANDIDATE_LABELS,
    CLASSIFY_ANSWERS,
    OBJECTS,
    IMAGE_SUMMARIES,
)

INTERVALS = ExchangeFile(
    name="intervals.csv",
    columns=("participant", "dataset", "image", "number", "place", "started_ms", "ended_ms"),
    key=("participant", "dataset", "image", "number"),
    whole=("number", "started_ms", "ended_ms"),
)
REPEATS = ExchangeFile(
    name="repeats.csv",
    columns=PREDICTIONS.columns,
    key=(*PREDICTIONS.key, "asking"),
    added=PREDICTIONS.added,
    last=("asking",),
    whole=(*PREDICTIONS.whole, "asking"),
)
ERROR_REVIEWS = ExchangeFile(
    name="error_reviews.csv",
    columns=("reviewer", "dataset", "image", "label", "mistake", "category", "severity", "at"),
    key=("reviewer", "dataset", "image", "label"),
)

# In reading order: each file may refer to those before it.
EXCHANGE_FILES = (
    DATASETS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
    MULTILABELS,
    ADJUDICATIONS,
    FLAGS,
    INTERVALS,
    REPEATS,
    ERROR_REVIEWS,
    CANDIDATES,
    *CROWD_FILES,
    BUILT_DATASETS,
    BUILT_IMAGES,
    CLASS_REVIEWS,
    NEAR_DUPLICATES,
)


@dataclass(frozen=True, slots=True)
class HeaderProblem:
    """What is wrong with a file's header, and in which column."""

    column: str
    problem: str


def header_problem(file: ExchangeFile, header: list[str]) -> HeaderProblem | None:
    """Return the first problem of a header; its columns may be in any order."""
    allowed = (*file.exported, *file.optional)
    unknown = [column for column in header if column not in allowed]
    repeated = sorted({column for column in header if header.count(column) > 1})
    missing = [column for column in (*file.columns, *file.last) if column not in header]
    for columns, what in ((unknown, "unknown"), (repeated, "repeated"), (missing, "missing")):
        if columns:
            return HeaderProblem(columns[0], _header_sentence(file, columns, what))
    return None


def _header_sentence(file: ExchangeFile, columns: list[str], what: str) -> str:
    named = ", ".join(f"'{column}'" for column in columns)
    subject = f"column {named} is" if len(columns) == 1 else f"columns {named} are"
    return f"the {subject} {what}. The header is {','.join(file.exported)}."
