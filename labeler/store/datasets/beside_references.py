"""What people did in this study with reference images beside it."""

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from labeler.core.study.entities import SessionTask
from labeler.store.schema import PredictionRow, ReviewRow


def tasks_with_work(session: Session) -> set[SessionTask]:
    """The tasks with an answer or a verdict that was given here; what a file told doesn't count."""
    done = {
        task
        for task in (SessionTask.TRAIN, SessionTask.EVALUATE)
        if session.scalar(
            select(exists().where(PredictionRow.task == task, PredictionRow.trial_id.is_not(None)))
        )
    }
    judged = session.scalar(select(exists().where(ReviewRow.session_id.is_not(None))))
    return done | ({SessionTask.REVIEW} if judged else set())
