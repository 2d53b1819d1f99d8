"""Telling a study where a dataset's folder lies now."""

from pathlib import Path

from labeler.store.study import StudyStore


def relocate_dataset(store: StudyStore, dataset: str, folder: Path) -> None:
    """Say that the folder of the dataset lies there now; no file is looked at."""
    with store.write() as study:
        study.datasets.relocate(dataset, str(folder.resolve()))
        study.audit.record("dataset relocated", dataset=dataset, folder=folder)
