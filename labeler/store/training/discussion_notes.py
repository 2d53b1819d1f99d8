"""Notes on training images, each with its author and time."""

import uuid
from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.training.discussion import DiscussionNote
from labeler.store.schema import DiscussionNoteRow, ParticipantRow
from labeler.store.study.sessions import person_id


class DiscussionNotes:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def add_note(self, image: int, *, author: str, text: str) -> None:
        """Append a note; earlier notes never change."""
        row = {
            "id": str(uuid.uuid4()),
            "image_id": image,
            "participant_id": person_id(self._session, author),
            "text": text,
            "at": stamp(self._clock.utc()),
        }
        self._session.execute(insert(DiscussionNoteRow).values(**row))

    def notes(self, images: Collection[int]) -> dict[int, tuple[DiscussionNote, ...]]:
        """Return the notes by image, oldest first."""
        query = (
            select(
                DiscussionNoteRow.image_id,
                ParticipantRow.code,
                DiscussionNoteRow.text,
                DiscussionNoteRow.at,
            )
            .join(ParticipantRow, ParticipantRow.id == DiscussionNoteRow.participant_id)
            .order_by(DiscussionNoteRow.at, DiscussionNoteRow.id)
        )
        found: dict[int, tuple[DiscussionNote, ...]] = defaultdict(tuple)
        wanted = frozenset(images)
        for image, author, text, at in self._session.execute(query):
            if image in wanted:
                found[image] = (*found[image], DiscussionNote(author, text, at))
        return dict(found)
