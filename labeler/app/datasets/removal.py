"""Taking a dataset out of a study again, as long as nothing rests on it."""

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

_BEGUN = (
    "the evaluation has begun, with its images shown as references. To be without them, put a "
    "backup from before the evaluation back"
)
_INSTEAD = (
    " with its images shown as references. To show others from now on, add those: they take the "
    "place of these, class by class"
)
_DONE = {
    SessionTask.EVALUATE: _BEGUN,
    SessionTask.TRAIN: f"labelers have trained{_INSTEAD}",
    SessionTask.REVIEW: f"reviewers have judged labels{_INSTEAD}",
}
assert set(_DONE) == set(SessionTask), "every task has its words"


def references_in_use_reason(store: StudyStore, study: Transaction) -> str | None:
    """What was done with references next to it, and what to do; None when nothing was."""
    done = tasks_with_work(study.session) | _waiting(store.folder)
    # Who has an image of it before them looks at references, answered or not.
    if study.phases.states()[Phase.EVALUATE] is not PhaseState.CLOSED:
        done.add(SessionTask.EVALUATE)
    return next((words for task, words in _DONE.items() if task in done), None)


def _waiting(folder: StudyFolder) -> set[SessionTask]:
    """The tasks of which something was given that the study couldn't take yet."""
    answers = {
        task
        for task in (SessionTask.TRAIN, SessionTask.EVALUATE)
        if count_pending_answers(folder, task)
    }
    judged = any(count_pending_verdicts(folder, stage) for stage in Stage)
    return answers | ({SessionTask.REVIEW} if judged else set())


# References go with their dataset, unless someone worked with them next to.
_REFERENCE = "reference"
_REVIEWED = "its images are reviewed"
_USES = {
    "sample_dataset": "a sample was drawn from it",
    "sample_image": "a sample was drawn from it",
    "trial": "its images were shown to labelers",
    "prediction": "there are answers about its images",
    "model_predictions": "there are models' predictions for it",
    "training_pool": "its images are there to train on",
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
}

_COMPARED = "the report compares it with another dataset"
_COMPARE_OTHERS = "Compare two others first."
_LEAVE_IT = (
    "It may stay: leave it out when you draw a sample. To be without it, put a backup from before "
    "that back."
)


@dataclass(frozen=True, slots=True)
class DatasetRemoved:
    """How many images went, and the classes that have no references any more."""

    images: int
    without_references: tuple[str, ...] = ()


def remove_dataset(store: StudyStore, name: str) -> DatasetRemoved:
    """Take it out with its images, and with the thumbnails made of them; the files stay."""
    with store.write() as study:
        images = len(study.datasets.names(name))
        _refuse_used(store, study, name)
        wnids = study.image_roles.remove_references(name)
        study.datasets.remove(name)
        study.audit.record("dataset removed", dataset=name, images=images, references=len(wnids))
    # After the study: thumbnails without references are found by a check, and removed by it.
    remove_sheets(store, wnids)
    return DatasetRemoved(images, tuple(wnids))


def require_removable(store: StudyStore, name: str) -> None:
    """Refuse what `remove_dataset` would, before anything is asked or backed up for it."""
    with store.read() as study:
        study.datasets.definition(name)
        _refuse_used(store, study, name)


def _refuse_used(store: StudyStore, study: Transaction, name: str) -> None:
    uses = _uses(store, study, name)
    if uses:
        remedies = dict.fromkeys(_remedy(use) for use in uses)
        advice = " ".join(filter(None, remedies))
        raise RefusedError(f"{name} can't be removed: {'; '.join(uses)}. {advice}".rstrip())


def _remedy(use: str) -> str:
    """What to do about it; why references stay says so itself."""
    if use == _COMPARED:
        return _COMPARE_OTHERS
    return _LEAVE_IT if use in _USES.values() else ""


def _uses(store: StudyStore, study: Transaction, name: str) -> list[str]:
    tables = tables_using_dataset(study.session, name)
    found = [_USES[table] for table in tables if table != _REFERENCE]
    stays = references_in_use_reason(store, study) if _REFERENCE in tables else None
    if stays is not None:
        found.append(stays)
    if name in (read_compared_datasets(study) or ()):
        found.append(_COMPARED)
    return list(dict.fromkeys(found))
