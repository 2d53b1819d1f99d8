"""Taking a dataset out of a study again, as long as nothing rests on it."""

from labeler.app.study_settings import compared_in
from labeler.core.errors import Refused
from labeler.store.dataset_uses import tables_that_use
from labeler.store.study import StudyStore
from labeler.store.transaction import Transaction

_REVIEWED = "its images are reviewed"
_USES = {
    "sample_dataset": "a sample was drawn from it",
    "sample_image": "a sample was drawn from it",
    "trial": "its images were shown to labelers",
    "prediction": "there are answers about its images",
    "model_predictions": "there are models' predictions for it",
    "training_pool": "its images are there to train on",
    "reference": "its images are shown as references",
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


def remove_dataset(store: StudyStore, name: str) -> int:
    """Take it out with its images, and tell how many these were; no file is touched."""
    with store.write() as study:
        images = len(study.datasets.names(name))
        uses = _uses(study, name)
        if uses:
            raise Refused(f"{name} can't be removed: {'; '.join(uses)}.")
        study.datasets.remove(name)
        study.audit.record("dataset removed", dataset=name, images=images)
    return images


def _uses(study: Transaction, name: str) -> list[str]:
    found = [_USES[table] for table in tables_that_use(study.session, name)]
    if name in (compared_in(study) or ()):
        found.append("the report compares it with another dataset")
    return list(dict.fromkeys(found))
