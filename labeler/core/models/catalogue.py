"""What is known of a model that could be scored, and finding models by parts of their names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class WeightsLocation(StrEnum):
    """Where a model's published weights are."""

    INSTALLED = "installed"
    HUB = "hub"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """A model of timm's: its name with the tag of its weights, its size and its outputs."""

    name: str
    architecture: str
    input_size: int
    outputs: int
    weights: WeightsLocation
    parameters: int | None = None


def find_models(entries: Iterable[CatalogueEntry], words: Sequence[str]) -> list[CatalogueEntry]:
    """The models whose names hold every word, those that begin with the first before others."""
    wanted = [word.lower() for word in words]
    holding = [e for e in entries if all(word in e.name.lower() for word in wanted)]
    if not wanted:
        return holding
    return sorted(holding, key=lambda e: not e.name.lower().startswith(wanted[0]))
