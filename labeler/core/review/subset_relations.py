"""Declared relations between classes that can both be correct; used to propose labels only."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import InputError
from labeler.locations import RESOURCES

DEFAULT_FILE = RESOURCES / "subsets.toml"
_KEYS = frozenset(("class", "also", "when", "both", "source"))
_NEEDED = ("class", "also", "when", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetRelation:
    """An image of `wnid` also shows `also` under the condition described by `when`."""

    wnid: str
    also: str
    when: str
    source: str


def load_subset_relations(
    taxonomy: Taxonomy, file: Path = DEFAULT_FILE
) -> tuple[SubsetRelation, ...]:
    """Load the relations of the file, leaving out those with a class that the taxonomy lacks."""
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    entries = document.get("subset", [])
    declared = [relation for entry in entries for relation in _declared(entry, file)]
    return tuple(
        subset
        for subset in declared
        if taxonomy.is_class(subset.wnid) and taxonomy.is_class(subset.also)
    )


def proposed_relations(
    subsets: Collection[SubsetRelation], *, judged_correct: str, known: Collection[str]
) -> tuple[SubsetRelation, ...]:
    """Return what to propose after a label was judged correct, except labels already present."""
    return tuple(
        subset for subset in subsets if subset.wnid == judged_correct and subset.also not in known
    )


def _declared(entry: Mapping[str, Any], file: Path) -> Iterator[SubsetRelation]:
    _check(entry, file)
    one, other = entry["class"], entry["also"]
    pairs = [(one, other), (other, one)] if entry.get("both", False) else [(one, other)]
    for wnid, also in pairs:
        yield SubsetRelation(wnid=wnid, also=also, when=entry["when"], source=entry["source"])


def _check(entry: Mapping[str, Any], file: Path) -> None:
    unknown = sorted(entry.keys() - _KEYS)
    missing = [key for key in _NEEDED if not isinstance(entry.get(key), str)]
    if unknown or missing:
        problem = f"unknown: {', '.join(unknown)}" if unknown else f"missing: {', '.join(missing)}"
        raise InputError(
            f"a [[subset]] needs {', '.join(_NEEDED)} as text, and `both` if it holds in both "
            f"directions; {problem}.",
            file=file,
        )
