"""Drafts: what a person had half done, kept so that a crash costs nothing."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.study.entities import SessionTask
from labeler.store.schema import DraftRow
from labeler.store.study.sessions import person_id

# No trial's id looks like it.
MARKED_TRIALS_SUBJECT = "marked trials"


class Drafts:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def put(
        self, participant: str, *, task: SessionTask, subject: str, contents: Mapping[str, Any]
    ) -> None:
        """Keep the draft in place of an earlier one on the same subject."""
        key = self._key(participant, task, subject)
        values = {
            "contents": json.dumps(contents, ensure_ascii=False),
            "updated_at": stamp(self._clock.utc()),
        }
        replaced = update(DraftRow).filter_by(**key).values(values).returning(DraftRow.subject)
        if self._session.scalar(replaced) is None:
            self._session.execute(insert(DraftRow).values({**key, **values}))

    def text(self, participant: str, *, task: SessionTask, subject: str) -> str | None:
        """The draft as it was written, which may be something that can't be read any more."""
        key = self._key(participant, task, subject)
        return self._session.scalar(select(DraftRow.contents).filter_by(**key))

    def get(self, participant: str, *, task: SessionTask, subject: str) -> dict[str, Any] | None:
        contents = self.text(participant, task=task, subject=subject)
        if contents is None:
            return None
        draft: dict[str, Any] = json.loads(contents)
        return draft

    def discard(self, participant: str, *, task: SessionTask, subject: str) -> None:
        """Forget the draft, if there is one."""
        key = self._key(participant, task, subject)
        self._session.execute(delete(DraftRow).filter_by(**key))

    def subjects(self, participant: str, *, task: SessionTask) -> list[str]:
        """What the participant has drafts of, the latest first."""
        person = person_id(self._session, participant)
        query = select(DraftRow.subject).filter_by(participant_id=person, task=task)
        order = DraftRow.updated_at.desc(), DraftRow.subject
        return list(self._session.scalars(query.order_by(*order)))

    def _key(self, participant: str, task: SessionTask, subject: str) -> dict[str, Any]:
        person = person_id(self._session, participant)
        return {"participant_id": person, "task": task, "subject": subject}
