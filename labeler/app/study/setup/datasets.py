"""The datasets of a step as table rows, and what can be done with each."""

from dataclasses import dataclass

from labeler.app.study.setup.facts import SetupFacts
from labeler.core.study.entities import Dataset, DatasetRole
from labeler.core.text import count_noun
from labeler.images.layouts import DatasetLayout
from labeler.store.datasets.datasets import OddFileCounts

CHOOSE_DATASET = "Select a dataset in the list first."
DATASET_HEADINGS = ("Dataset", "Images", "State", "Folder")
FOLDER_MISSING = "folder missing"


def nothing_skipped_text(dataset: str) -> str:
    return f"No files of {dataset} were skipped."


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupDatasetRow:
    """A table row; an `interrupted` import can be resumed.

    A dataset is `listed` if a CSV defines it; the study stores its folder, but not the CSV. `odd`
    says how many files were skipped or noted, and is empty if there were none.
    """

    name: str
    cells: tuple[str, ...]
    interrupted: bool
    listed: bool
    odd: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetActionsView:
    """Texts about the selected dataset; a reason is empty if its action is available."""

    about: str
    none_chosen: str = ""
    no_odd: str = ""
    can_resume: bool = False


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
    """Return what is wrong with a dataset of this role in a few words, or an empty string."""
    datasets = [dataset for dataset in facts.datasets if dataset.role is role]
    for dataset in datasets:
        if not dataset.complete:
            return f"{dataset.name} interrupted"
    for dataset in datasets:
        if dataset.name in facts.missing:
            return f"{dataset.name}: {FOLDER_MISSING}"
    return ""


def dataset_actions(row: SetupDatasetRow | None) -> DatasetActionsView:
    """Return what can be done with the selected dataset, or why not."""
    if row is None:
        return DatasetActionsView(
            about=CHOOSE_DATASET, none_chosen=CHOOSE_DATASET, no_odd=CHOOSE_DATASET
        )
    nothing = nothing_skipped_text(row.name)
    return DatasetActionsView(
        about=f"{row.name}: {row.odd}." if row.odd else nothing,
        no_odd="" if row.odd else nothing,
        can_resume=row.interrupted,
    )


def _odd(count: OddFileCounts | None) -> str:
    if count is None:
        return ""
    skipped = f"{count_noun(count.left_out, 'file')} skipped" if count.left_out else ""
    noted = f"{count_noun(count.noted, 'file')} imported with a note" if count.noted else ""
    return ", ".join(filter(None, (skipped, noted)))


def _state(dataset: Dataset, facts: SetupFacts) -> str:
    interrupted = "" if dataset.complete else "interrupted"
    missing = FOLDER_MISSING if dataset.name in facts.missing else ""
    return ", ".join(filter(None, (interrupted, missing))) or "complete"
