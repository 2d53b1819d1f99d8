"""Drafts: a person's unfinished work, saved so that a crash loses nothing."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.study.entities import SessionTask
from labeler.core.study.phases import PhaseState
from labeler.store.labeling.trial_tasks import TASKS
from labeler.store.schema import DraftRow, PhaseRow, TrialRow
from labeler.store.study.sessions import person_id

# Can't be confused with a trial's id.
MARKED_TRIALS_SUBJECT = "marked trials"


class Drafts:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def put(
        self, participant: str, *, task: SessionTask, subject: str, contents: Mapping[str, Any]
    ) -> None:
        """Save the draft, replacing an earlier one on the same subject."""
        key = self._key(participant, task, subject)
        self._put(key, json.dumps(contents, ensure_ascii=False))

    def put_trial(self, trial_id: str, contents: str) -> bool:
        """Save the trial's draft; return False once its labeler may not work on it."""
        trial = self._session.get(TrialRow, trial_id)
        if trial is None or trial.locked_at is not None:
            return False
        phase = self._session.get(PhaseRow, TASKS[trial.task].phase)
        if phase is None or phase.state is not PhaseState.OPEN:
            return False
        key = {"participant_id": trial.participant_id, "task": trial.task, "subject": trial_id}
        self._put(key, contents)
        return True

    def text(self, participant: str, *, task: SessionTask, subject: str) -> str | None:
        """Return the text of the draft, which may be in an unknown format."""
        key = self._key(participant, task, subject)
        return self._session.scalar(select(DraftRow.contents).filter_by(**key))

    def get(self, participant: str, *, task: SessionTask, subject: str) -> dict[str, Any] | None:
        contents = self.text(participant, task=task, subject=subject)
        if contents is None:
            return None
        draft: dict[str, Any] = json.loads(contents)
        return draft

    def discard(self, participant: str, *, task: SessionTask, subject: str) -> None:
        """Delete the draft, if there is one."""
        key = self._key(participant, task, subject)
        self._session.execute(delete(DraftRow).filter_by(**key))

    def subjects(self, participant: str, *, task: SessionTask) -> list[str]:
        """Return the subjects of the participant's drafts, the latest first."""
        person = person_id(self._session, participant)
        query = select(DraftRow.subject).filter_by(participant_id=person, task=task)
        order = DraftRow.updated_at.desc(), DraftRow.subject
        return list(self._session.scalars(query.order_by(*order)))

    def _put(self, key: dict[str, Any], contents: str) -> None:
        now = stamp(self._clock.utc())
        self._session.merge(DraftRow(**key, contents=contents, updated_at=now))
        self._session.flush()

    def _key(self, participant: str, task: SessionTask, subject: str) -> dict[str, Any]:
        person = person_id(self._session, participant)
        return {"participant_id": person, "task": task, "subject": subject}
