"""The datasets of a step as rows: how many images, where, and what is wrong with them."""

from dataclasses import dataclass

from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import Dataset, DatasetRole
from labeler.core.text import count_noun
from labeler.images.layouts import DatasetLayout
from labeler.store.datasets.datasets import OddFileCounts

_CHOOSE = "Choose a dataset in the list first."
DATASET_HEADINGS = ("Dataset", "Images", "State", "Folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupDatasetRow:
    """What is in the row; an import that was `interrupted` can be gone on with.

    Of a dataset that a CSV lists the study knows the folder, but not the CSV. `odd` says how many
    files were left out or noted, and is empty where none was.
    """

    name: str
    cells: tuple[str, ...]
    interrupted: bool
    listed: bool
    odd: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetActionsView:
    """What is reported of the chosen dataset; the reasons are empty where a deed can be done."""

    about: str
    none_chosen: str = ""
    no_odd: str = ""
    can_go_on: bool = False


def dataset_rows(facts: SetupFacts, role: DatasetRole) -> tuple[SetupDatasetRow, ...]:
    return tuple(
        SetupDatasetRow(
            name=dataset.name,
            cells=(dataset.name, f"{dataset.images:,}", _state(dataset, facts), dataset.root or ""),
            interrupted=not dataset.complete,
            listed=dataset.layout == DatasetLayout.MANIFEST,
            odd=_odd(facts.odd_files.get(dataset.name)),
        )
        for dataset in facts.datasets
        if dataset.role is role
    )


def dataset_problem(facts: SetupFacts, role: DatasetRole) -> str:
    """What is wrong with a dataset of this role, in a few words; empty where nothing is."""
    mine = [dataset for dataset in facts.datasets if dataset.role is role]
    for dataset in mine:
        if not dataset.complete:
            return f"{dataset.name} interrupted"
    for dataset in mine:
        if dataset.name in facts.missing:
            return f"the folder of {dataset.name} isn't there"
    return ""


def dataset_actions(row: SetupDatasetRow | None) -> DatasetActionsView:
    """What can be done with the chosen dataset, and why not."""
    if row is None:
        return DatasetActionsView(about=_CHOOSE, none_chosen=_CHOOSE, no_odd=_CHOOSE)
    nothing = f"Nothing was left out of {row.name}."
    return DatasetActionsView(
        about=f"{row.name}: {row.odd}." if row.odd else nothing,
        no_odd="" if row.odd else nothing,
        can_go_on=row.interrupted,
    )


def _odd(count: OddFileCounts | None) -> str:
    if count is None:
        return ""
    left_out = f"{count_noun(count.left_out, 'file')} left out" if count.left_out else ""
    noted = f"{count_noun(count.noted, 'file')} taken with a note" if count.noted else ""
    return ", ".join(filter(None, (left_out, noted)))


def _state(dataset: Dataset, facts: SetupFacts) -> str:
    half = "" if dataset.complete else "interrupted"
    gone = "folder isn't there" if dataset.name in facts.missing else ""
    return ", ".join(filter(None, (half, gone))) or "complete"
