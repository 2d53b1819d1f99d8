"""List timm's models with their sizes and weights, without building them."""

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import timm

from labeler.core.models.scoring import CatalogueEntry, WeightsLocation
from labeler.locations import RESOURCES
from labeler.scoring.weight_sources import installed_weights

_PARAMETERS = RESOURCES / "timm-parameters.csv"


def list_models() -> list[CatalogueEntry]:
    """Return the models with published weights, by name, then those without."""
    parameters = _parameters()
    return [*_published(parameters), *_without_weights(parameters)]


def _published(parameters: Mapping[str, int]) -> Iterator[CatalogueEntry]:
    for name in timm.list_pretrained():
        installed = installed_weights(name) is not None
        yield _entry(
            name, WeightsLocation.INSTALLED if installed else WeightsLocation.HUB, parameters
        )


def _without_weights(parameters: Mapping[str, int]) -> Iterator[CatalogueEntry]:
    published = {name.partition(".")[0] for name in timm.list_pretrained()}
    for name in timm.list_models():
        if name not in published:
            yield _entry(name, WeightsLocation.NONE, parameters)


def _entry(name: str, weights: WeightsLocation, parameters: Mapping[str, int]) -> CatalogueEntry:
    config = timm.get_pretrained_cfg(name)
    architecture = name.partition(".")[0]
    return CatalogueEntry(
        name=name,
        architecture=architecture,
        input_size=int(config.input_size[-1]) if config is not None else 0,
        outputs=int(config.num_classes or 0) if config is not None else 0,
        weights=weights,
        parameters=parameters.get(architecture),
    )


def _parameters() -> dict[str, int]:
    """Return the number of parameters of each architecture with 1,000 outputs, from a file."""
    with _PARAMETERS.open(encoding="utf-8", newline="") as file:
        return {row["architecture"]: int(row["parameters"]) for row in csv.DictReader(file)}


if __name__ == "__main__":
    # The window runs this module in a separate process, because importing timm takes seconds.
    json.dump([asdict(entry) for entry in list_models()], sys.stdout)
