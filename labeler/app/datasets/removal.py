"""Removing a dataset from a study while it is unused."""

from collections.abc import Iterable
from dataclasses import dataclass

from labeler.app.datasets.contact_sheets import remove_sheets
from labeler.app.labeling.answer_journal import count_pending_answers
from labeler.app.review.verdict_writer import count_pending_verdicts
from labeler.app.study.settings import read_compared_datasets
from labeler.core.errors import RefusedError
from labeler.core.study.entities import SessionTask, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.datasets.datasets import tables_using_dataset
from labeler.store.datasets.image_roles import tasks_with_work
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, Transaction

_EVALUATION_STARTED = (
    "the evaluation has started with its images as references. To remove them, restore a backup "
    "from before the evaluation"
)
_ADD_OTHERS = (
    " with its images as references. To use other references from now on, add them: they replace "
    "these class by class"
)
_DONE = {
    SessionTask.EVALUATE: _EVALUATION_STARTED,
    SessionTask.TRAIN: f"labelers have trained{_ADD_OTHERS}",
    SessionTask.REVIEW: f"reviewers have judged labels{_ADD_OTHERS}",
}
assert set(_DONE) == set(SessionTask), "every task has a reason"


def references_in_use_reason(store: StudyStore, study: Transaction) -> str | None:
    """Return which work was done with references and what to do, or None if there is none."""
    done = tasks_with_work(study.session) | _waiting(store.folder)
    # In an open evaluation labelers may have seen references before their first answer.
    if study.phases.states()[Phase.EVALUATE] is not PhaseState.CLOSED:
        done.add(SessionTask.EVALUATE)
    return next((words for task, words in _DONE.items() if task in done), None)


def _waiting(folder: StudyFolder) -> set[SessionTask]:
    """Return the tasks with answers or verdicts that are still in a journal."""
    answers = {
        task
        for task in (SessionTask.TRAIN, SessionTask.EVALUATE)
        if count_pending_answers(folder, task)
    }
    judged = any(count_pending_verdicts(folder, stage) for stage in Stage)
    return answers | ({SessionTask.REVIEW} if judged else set())


# References are removed with their dataset, unless work was done with them.
_REFERENCE = "reference"
# Tables whose rows are removed with their dataset.
REMOVED_TOO = frozenset({_REFERENCE, "image_factor"})
_REVIEWED = "its images are reviewed"
_CROWD = "annotators are asked about its images"
_NEAR_DUPLICATES = "some of its images were judged as near-duplicates or not"
_CANDIDATES = "it is a candidate pool"
DATASET_USES = {
    "sample_dataset": "a sample was drawn from it",
    "sample_image": "a sample was drawn from it",
    "trial": "its images were shown to labelers",
    "prediction": "its images have answers",
    "repeated_prediction": "its images have answers",
    "imported_interval": "its images have answers",
    "error_review": _REVIEWED,
    "model_predictions": "its images have model predictions",
    "pack_image": "its images are in a pack that people may have",
    "training_pool": "its images are in the training pool",
    "exposure": "people have seen its images",
    "problematic": "some of its images are marked as problematic",
    "multilabel": _REVIEWED,
    "review": _REVIEWED,
    "review_item": _REVIEWED,
    "review_repeat": _REVIEWED,
    "review_visit": _REVIEWED,
    "review_flag": _REVIEWED,
    "flag_check": _REVIEWED,
    "adjudication": _REVIEWED,
    "discussion_note": _REVIEWED,
    "grid_image": _CROWD,
    "selection_frequency": _CROWD,
    "candidate_label": _CROWD,
    "classify_answer": _CROWD,
    "image_object": _CROWD,
    "image_summary": _CROWD,
    "crowd_round_image": _CROWD,
    "crowd_assignment": _CROWD,
    "crowd_qualification_image": _CROWD,
    "candidate": _CANDIDATES,
    "built_image": "a dataset was built from it",
    "built_removal": "a dataset was built from it",
    "revision_dataset": "it is a revision of a built dataset",
    "near_duplicate_verdict": _NEAR_DUPLICATES,
    "near_duplicate_choice": _NEAR_DUPLICATES,
}

COMPARED_IN_REPORT = "the report compares it with another dataset"
_COMPARE_OTHERS = "Choose two other datasets to compare first."
KEEP_IT_HINT = (
    "You can keep it and leave it out of the sample. To remove it, restore a backup from before "
    "that."
)


@dataclass(frozen=True, slots=True)
class DatasetRemoved:
    """The number of removed images, and the classes left without references."""

    images: int
    without_references: tuple[str, ...] = ()


def remove_dataset(store: StudyStore, name: str) -> DatasetRemoved:
    """Remove the dataset, its images and their thumbnails from the study; the files stay."""
    with store.write() as study:
        images = len(study.datasets.names(name))
        _refuse_used(store, study, name)
        wnids = study.image_roles.remove_references(name)
        study.datasets.remove(name)
        study.audit.record("dataset removed", dataset=name, images=images, references=len(wnids))
    # After the transaction: if this fails, a check finds the unused thumbnails.
    remove_sheets(store, wnids)
    return DatasetRemoved(images, tuple(wnids))


def require_removable(store: StudyStore, name: str) -> None:
    """Refuse what `remove_dataset` would refuse, before a confirmation or backup."""
    with store.read() as study:
        study.datasets.definition(name)
        _refuse_used(store, study, name)


def _refuse_used(store: StudyStore, study: Transaction, name: str) -> None:
    uses = _uses(store, study, name)
    if uses:
        remedies = dict.fromkeys(_remedy(use) for use in uses)
        advice = " ".join(filter(None, remedies))
        raise RefusedError(f"{dataset_in_use_text(name, uses)} {advice}".rstrip())


def dataset_in_use_text(name: str, uses: Iterable[str]) -> str:
    return f"{name} can't be removed: {'; '.join(uses)}."


def _remedy(use: str) -> str:
    """Return what to do about the use; reasons about references include their own advice."""
    if use == COMPARED_IN_REPORT:
        return _COMPARE_OTHERS
    return KEEP_IT_HINT if use in DATASET_USES.values() else ""


def _uses(store: StudyStore, study: Transaction, name: str) -> list[str]:
    tables = tables_using_dataset(study.session, name)
    found = [DATASET_USES[table] for table in tables if table not in REMOVED_TOO]
    stays = references_in_use_reason(store, study) if _REFERENCE in tables else None
    if stays is not None:
        found.append(stays)
    if name in (read_compared_datasets(study) or ()):
        found.append(COMPARED_IN_REPORT)
    return list(dict.fromkeys(found))
