"""An evaluation that someone has begun: its first image is answered."""

import uuid
from pathlib import Path

from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.core.clock import SystemClock, stamp
from labeler.core.labeling.answers import CommittedAnswer
from labeler.store.study_opening import open_study


def answer_first(study: Path, code: str) -> None:
    """Answer the labeler's first image, and leave."""
    clock = SystemClock()
    with open_study(study, clock=clock) as store:
        session = EvaluationSession(store, code)
        start, now = session.begin(), stamp(clock.utc())
        assert start.first is not None
        session.answers.commit(
            CommittedAnswer(
                answer_id=str(uuid.uuid4()),
                trial_id=start.first,
                session_id=start.session_id,
                label=store.taxonomy.class_wnids[0],
                shown_at=now,
                submitted_at=now,
                active_ms=900,
                wall_ms=900,
            )
        )
        session.end()
