"""The datasets of a step as rows: how many images, where, and what is wrong with them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from labeler.core.study import Dataset, DatasetRole
from labeler.images.layouts import Layout

if TYPE_CHECKING:
    from labeler.app.setting_up.facts import SetUpFacts

HEADINGS = ("Dataset", "Images", "State", "Folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRow:
    """What stands in the row; an import that was `interrupted` can be gone on with.

    Of a dataset that a CSV lists the study knows the folder, but not the CSV.
    """

    name: str
    cells: tuple[str, ...]
    interrupted: bool
    listed: bool


def dataset_rows(facts: "SetUpFacts", role: DatasetRole) -> tuple[DatasetRow, ...]:
    return tuple(
        DatasetRow(
            name=dataset.name,
            cells=(dataset.name, f"{dataset.images:,}", _state(dataset, facts), dataset.root or ""),
            interrupted=not dataset.complete,
            listed=dataset.layout == Layout.MANIFEST,
        )
        for dataset in facts.datasets
        if dataset.role is role
    )


def trouble(facts: "SetUpFacts", role: DatasetRole) -> str:
    """What is wrong with a dataset of this role, in a few words; empty where nothing is."""
    mine = [dataset for dataset in facts.datasets if dataset.role is role]
    for dataset in mine:
        if not dataset.complete:
            return f"{dataset.name} interrupted"
    for dataset in mine:
        if dataset.name in facts.missing:
            return f"the folder of {dataset.name} isn't there"
    return ""


def _state(dataset: Dataset, facts: "SetUpFacts") -> str:
    half = "" if dataset.complete else "interrupted"
    gone = "folder isn't there" if dataset.name in facts.missing else ""
    return ", ".join(filter(None, (half, gone))) or "complete"
