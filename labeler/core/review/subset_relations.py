"""Classes that may be right together, declared as data: the other is proposed, never set."""

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
    """An image of `wnid` is one of `also` too, when what `when` says is seen."""

    wnid: str
    also: str
    when: str
    source: str


def load_subset_relations(
    taxonomy: Taxonomy, file: Path = DEFAULT_FILE
) -> tuple[SubsetRelation, ...]:
    """The relations of the file; those that name a class which the taxonomy lacks are left out."""
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    entries = document.get("subset", [])
    declared = [made for entry in entries for made in _declared(entry, file)]
    return tuple(
        subset
        for subset in declared
        if taxonomy.is_class(subset.wnid) and taxonomy.is_class(subset.also)
    )


def proposed_relations(
    subsets: Collection[SubsetRelation], *, judged_correct: str, known: Collection[str]
) -> tuple[SubsetRelation, ...]:
    """What to propose after a label was judged correct, leaving out labels that are there."""
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
            f"a [[subset]] has {', '.join(_NEEDED)} as text, and `both` where it holds both ways; "
            f"{problem}.",
            file=file,
        )
