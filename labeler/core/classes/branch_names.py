"""The names of branches: those that people use, WordNet's otherwise, and each one only once."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from labeler.core.classes.taxonomy import Taxonomy
from labeler.locations import RESOURCES

_FILE = RESOURCES / "family-names.toml"


@dataclass(frozen=True, slots=True)
class FamilyName:
    """The name of a branch, and the most classes for which it is right, if it is limited."""

    name: str
    classes: int | None = None


@lru_cache(maxsize=1)
def family_names() -> Mapping[str, FamilyName]:
    """Return the shipped names of branches by wnid, in the plural and as people say them."""
    given = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({wnid: _family_name(value) for wnid, value in given.items()})


def _family_name(value: str | dict[str, Any]) -> FamilyName:
    return FamilyName(value) if isinstance(value, str) else FamilyName(**value)


def branch_name(taxonomy: Taxonomy, wnid: str) -> str:
    """Return the name of a node that people use, or WordNet's; several nodes may share it."""
    if has_everyday_name(taxonomy, wnid):
        return family_names()[wnid].name
    return taxonomy.display_names.get(wnid, taxonomy[wnid].name)


def has_everyday_name(taxonomy: Taxonomy, wnid: str) -> bool:
    """Return whether people have a name for this branch, and it is right in this taxonomy."""
    known = family_names().get(wnid)
    if known is None or taxonomy.is_class(wnid):
        return False
    return known.classes is None or len(taxonomy.classes_under(wnid)) <= known.classes


def unique_labels(
    taxonomy: Taxonomy, *, titles: Mapping[str, str], branches: Mapping[str, tuple[str, ...]]
) -> Mapping[str, str]:
    """Return a label for each class, superclass and branch that no other one has, ignoring case.

    `titles` are those of superclasses by key. `branches` has the children of each branch, which
    tell two branches of one name apart.
    """
    labels: dict[str, str] = {}
    used: set[str] = set()

    def label(key: str, candidates: Iterator[str]) -> None:
        labels[key] = next(name for name in candidates if name.casefold() not in used)
        used.add(labels[key].casefold())

    for wnid, name in taxonomy.display_names.items():
        label(wnid, iter((name, f"{name} ({wnid})")))
    for key, title in titles.items():
        label(key, iter((title, f"All {title}", f"{title} ({key})")))
    for wnid, children in branches.items():
        label(wnid, _candidates(taxonomy, wnid, children))
    return MappingProxyType(labels)


def _candidates(taxonomy: Taxonomy, wnid: str, children: tuple[str, ...]) -> Iterator[str]:
    name = branch_name(taxonomy, wnid)
    yield name
    yield from taxonomy[wnid].lemmas[1:]
    examples = [branch_name(taxonomy, child) for child in children[:2]]
    yield f"{name}: {', '.join(examples)}"
    yield from (f"{name} ({branch_name(taxonomy, above)})" for above in taxonomy[wnid].parents)
    yield f"{name} ({wnid})"
