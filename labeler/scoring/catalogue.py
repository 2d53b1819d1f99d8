"""List timm's models with their sizes and weights, without building them.

Importing timm takes seconds, so its list is kept in a file for the version that most people have:

    python -m labeler.scoring.catalogue > resources/timm-VERSION.csv

With another version, this module is run in a process of its own.
"""

import csv
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import TextIO

from labeler.core.models.scoring import CatalogueEntry, WeightsLocation
from labeler.locations import RESOURCES
from labeler.scoring.weight_sources import installed_weights

_PARAMETERS = RESOURCES / "timm-parameters.csv"
_COLUMNS = ("name", "input_size", "outputs", "published")


def list_models() -> list[CatalogueEntry]:
    """Return the models with published weights, by name, then those without.

    Raises `OSError` if timm can't be imported.
    """
    prepared = RESOURCES / f"timm-{version('timm')}.csv"
    if prepared.exists():
        return _read(prepared.read_text(encoding="utf-8").splitlines())
    listed = subprocess.run(
        [sys.executable, "-m", "labeler.scoring.catalogue"],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    if listed.returncode:
        raise OSError(listed.stderr)
    return _read(listed.stdout.splitlines())


def _read(lines: Iterable[str]) -> list[CatalogueEntry]:
    with _PARAMETERS.open(encoding="utf-8", newline="") as file:
        parameters = {row["architecture"]: int(row["parameters"]) for row in csv.DictReader(file)}
    entries = []
    for row in csv.DictReader(lines):
        architecture = row["name"].partition(".")[0]
        entry = CatalogueEntry(
            name=row["name"],
            architecture=architecture,
            input_size=int(row["input_size"]),
            outputs=int(row["outputs"]),
            weights=_weights(row["name"], published=row["published"] == "yes"),
            parameters=parameters.get(architecture),
        )
        entries.append(entry)
    return entries


def _weights(name: str, *, published: bool) -> WeightsLocation:
    if not published:
        return WeightsLocation.NONE
    return WeightsLocation.HUB if installed_weights(name) is None else WeightsLocation.INSTALLED


def write_timm_models(file: TextIO) -> None:
    """Write what timm itself says about its models."""
    import timm

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for name, published in _names(timm.list_pretrained(), timm.list_models()):
        config = timm.get_pretrained_cfg(name)
        size, outputs = (config.input_size[-1], config.num_classes or 0) if config else (0, 0)
        writer.writerow((name, size, outputs, "yes" if published else "no"))


def _names(pretrained: list[str], architectures: list[str]) -> Iterator[tuple[str, bool]]:
    published = {name.partition(".")[0] for name in pretrained}
    yield from ((name, True) for name in pretrained)
    yield from ((name, False) for name in architectures if name not in published)


if __name__ == "__main__":
    write_timm_models(sys.stdout)
