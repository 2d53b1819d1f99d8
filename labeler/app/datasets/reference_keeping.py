"""Why reference images have to stay, once people have worked with them beside."""

from labeler.app.labeling.answer_journal import count_pending_answers
from labeler.app.review.verdict_writer import count_pending_verdicts
from labeler.core.study.entities import SessionTask, Stage
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.datasets.beside_references import tasks_with_work
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore
from labeler.store.transaction import Transaction

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
    """What was done with references beside it, and what to do; None when nothing was."""
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
