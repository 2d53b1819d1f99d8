"""What people said about training images when they discussed them."""

from sqlalchemy import Index, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from labeler.store.schema.base import Base, foreign_key


class DiscussionNoteRow(Base):
    """A note on a training image. Rows are only appended: a second thought is another note."""

    __tablename__ = "discussion_note"
    __table_args__ = (Index("ix_discussion_note_image_id", "image_id"),)

    id: Mapped[str] = mapped_column(Uuid(as_uuid=False), primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id")
    participant_id: Mapped[int] = foreign_key("participant.id")
    text: Mapped[str]
    at: Mapped[str]
