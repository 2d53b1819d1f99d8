"""Read testbeds: lists of models in TOML files, and the list of the paper."""

import csv
import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.input_files import require_regular_file
from labeler.core.models.class_outputs import BACKGROUND_FIRST
from labeler.core.models.scoring import ModelSpec
from labeler.locations import RESOURCES

_FILE = RESOURCES / "paper-testbed.csv"


class TimmMatch(StrEnum):
    """How closely timm's model matches the paper's."""

    SAME = "same"
    NEAR = "near"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PaperModel:
    """A model under the paper's name; `timm` is empty if there is no equivalent."""

    paper: str
    timm: str
    match: TimmMatch
    note: str


def paper_testbed(file: Path = _FILE) -> list[PaperModel]:
    """Return the models in the paper's appendix, in its order."""
    with file.open(encoding="utf-8", newline="") as opened:
        return [
            PaperModel(row["paper"], row["timm"], TimmMatch(row["match"]), row["note"])
            for row in csv.DictReader(opened)
        ]


_KINDS: dict[str, type] = {
    "model": str,
    "name": str,
    "checkpoint": str,
    "classes": str,
    "batch_size": int,
}


def read_testbed(file: Path) -> list[ModelSpec]:
    """Return the models in a file; its paths are relative to the file."""
    require_regular_file(file)
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this isn't valid TOML: {error}.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    entries = document.pop("model", [])
    if document:
        raise InputError(
            f"the key '{next(iter(document))}' is unknown. A testbed has only [[model]] tables.",
            file=file,
        )
    if not isinstance(entries, list) or not entries:
        raise InputError(
            "there is no model. Add a [[model]] table with a line like model = 'resnet50'.",
            file=file,
        )
    specs = [_spec(entry, number, file) for number, entry in enumerate(entries, start=1)]
    _refuse_same_names(specs, file)
    return specs


def _spec(entry: Any, number: int, file: Path) -> ModelSpec:
    if not isinstance(entry, dict) or "model" not in entry:
        raise InputError(f"model {number} needs a line like model = 'resnet50'.", file=file)
    for key, value in entry.items():
        if key not in _KINDS:
            known = ", ".join(_KINDS)
            raise InputError(
                f"model {number} has the unknown key '{key}'. Known keys: {known}.", file=file
            )
        if not isinstance(value, _KINDS[key]) or value in ("", True, False):
            raise InputError(f"model {number}: {key} = {value!r} isn't a valid value.", file=file)
    classes = entry.get("classes")
    return ModelSpec(
        model=entry["model"],
        name=entry.get("name") or entry["model"],
        checkpoint=_resolved_path(file, entry.get("checkpoint")),
        classes=classes if classes == BACKGROUND_FIRST else _resolved_path(file, classes),
        batch_size=entry.get("batch_size"),
    )


def _resolved_path(file: Path, name: str | None) -> str | None:
    return None if name is None else str((file.parent / name).resolve())


def _refuse_same_names(specs: list[ModelSpec], file: Path) -> None:
    name, count = Counter(spec.name for spec in specs).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"{count} models are named '{name}'. Give each a different name = …", file=file
        )
