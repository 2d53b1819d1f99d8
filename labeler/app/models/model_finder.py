"""Find timm models to add by parts of their names, with published accuracies."""

import csv
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, LabelerError
from labeler.core.input_files import require_regular_file
from labeler.core.models.scoring import CatalogueEntry, WeightsLocation, find_models

_NEEDED = ("model", "top1", "top5", "param_count")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class PublishedAccuracy:
    """A model's published accuracies in percent; top-5 and parameters may be missing."""

    top1: float
    top5: float | None
    parameters: int | None


def read_published_results(file: Path) -> dict[str, PublishedAccuracy]:
    """Return the accuracies in a results file of timm, by model."""
    require_regular_file(file)
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            reader = csv.DictReader(opened)
            missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                problem = f"the column {missing[0]} is missing. This isn't a results file of timm."
                raise InputError(problem, file=file, line=1)
            return {row["model"]: _published(row, file, reader.line_num) for row in reader}
    except UnicodeDecodeError as error:
        raise InputError("this isn't UTF-8 text.", file=file) from error
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
        problem = f"'{row[column]}' isn't a number."
        raise InputError(problem, file=file, line=line, column=column) from error


_PLACES = {
    WeightsLocation.INSTALLED: "installed",
    WeightsLocation.HUB: "timm's hub",
    WeightsLocation.NONE: "none: give a checkpoint",
}
assert set(_PLACES) == set(WeightsLocation), "every location has a text"
# Models that need no network come first, those that need a checkpoint last.
_ORDER = tuple(_PLACES)
READING_LIST = "Reading timm's list of models…"
LIST_UNREADABLE = "timm's list of models couldn't be read. Type the full name of a model."


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModel:
    """A timm model as text; `published` has a text for each results file."""

    name: str
    parameters: str
    input: str
    outputs: str
    weights: str
    published: tuple[str, ...]


class ModelFinder:
    """timm's models, once they are known, and the results files that were added."""

    def __init__(self) -> None:
        self.entries: tuple[CatalogueEntry, ...] = ()
        self._why_empty = READING_LIST
        self._missing = ""
        self._results: dict[str, Mapping[str, PublishedAccuracy]] = {}
        self._changed: Callable[[], None] = _ignore

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the only listener, which is called now and whenever the list changes."""
        self._changed = changed
        changed()

    def unlisten(self) -> None:
        self._changed = _ignore

    def miss(self, missing: str) -> None:
        """Record that timm is missing, with a message; no model can be added."""
        self._missing = missing
        self._changed()

    @property
    def can_add(self) -> bool:
        return not self._missing

    @property
    def why_no_list(self) -> str:
        """Return why no model is listed, or an empty string."""
        return "" if self.entries else self._missing or self._why_empty

    def take(self, entries: Sequence[CatalogueEntry]) -> None:
        self._why_empty = LIST_UNREADABLE
        self.entries = tuple(sorted(entries, key=lambda entry: _ORDER.index(entry.weights)))
        self._changed()

    @property
    def results(self) -> tuple[str, ...]:
        """Return the titles of the results files in the order in which they were added."""
        return tuple(self._results)

    def read_results(self, file: Path) -> str | None:
        """Add the published accuracies in a results file; return what is wrong with it."""
        try:
            self._results[file.stem.removeprefix("results-")] = read_published_results(file)
        except LabelerError as error:
            return str(error)
        return None

    def find(self, words: str) -> tuple[FoundModel, ...]:
        """Return the models whose names contain every word."""
        return tuple(self._row(entry) for entry in find_models(self.entries, words.split()))

    def why_unknown(self, model: str) -> str | None:
        """Return what is wrong with a typed name; without a list any name is accepted."""
        if self._missing:
            return self._missing
        known = {entry.name for entry in self.entries} | {e.architecture for e in self.entries}
        if not known or model in known or model.startswith("hf-hub:"):
            return None
        near = difflib.get_close_matches(model, known, n=3)
        meant = f" Did you mean {', '.join(near)}?" if near else ""
        return f"timm has no model '{model}'.{meant}"

    def _row(self, entry: CatalogueEntry) -> FoundModel:
        published = (results.get(entry.name) for results in self._results.values())
        size = entry.parameters
        return FoundModel(
            name=entry.name,
            parameters="" if size is None else f"{size / 1e6:,.1f} M",
            input=str(entry.input_size or ""),
            outputs=f"{entry.outputs:,}" if entry.outputs else "",
            weights=_PLACES[entry.weights],
            published=tuple("" if one is None else f"{one.top1:.2f}" for one in published),
        )


def _ignore() -> None:
    """Ignore the change: nothing listens."""
