"""The layout of Hugging Face datasets: a card that says which files belong to which table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CARD_FILE = "README.md"
IMAGES_TABLE = "images"
IMAGES_FOLDER = "images"

_NOT_IN_A_SPLIT_NAME = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table of the card; `files` are by the name of the split, one for most tables."""

    name: str
    files: Mapping[str, str]


def split_names(datasets: Sequence[str]) -> dict[str, str]:
    """Return a name for each dataset that may name a split; equal ones are numbered."""
    names: dict[str, str] = {}
    for dataset in datasets:
        base = _NOT_IN_A_SPLIT_NAME.sub("_", dataset).strip("_") or "dataset"
        number, name = 1, base
        while name in names.values():
            number += 1
            name = f"{base}_{number}"
        names[dataset] = name
    return names


def dataset_card(title: str, text: str, tables: Iterable[CardTable]) -> str:
    """Return the card: its header lists the tables, the first of which is loaded by default."""
    lines = ["---", "configs:"]
    for number, table in enumerate(tables):
        lines += [f"- config_name: {table.name}"]
        lines += ["  default: true"] if number == 0 else []
        lines += ["  data_files:"]
        for split, file in table.files.items():
            lines += [f"  - split: {split}", f"    path: {file}"]
    return "\n".join([*lines, "---", "", f"# {title}", "", text, ""])
