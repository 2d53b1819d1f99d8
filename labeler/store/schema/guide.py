"""The guide's pages: versions, drafts, pictures, and frozen guides."""

from sqlalchemy import ForeignKeyConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.guide.page_versions import PageOrigin
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class GuideVersionRow(Base):
    """A version of a page; rows are only added, the highest number is current.

    Without a participant it was imported from the study folder. A retired version removes its page
    from the guide until another version follows.
    """

    __tablename__ = "guide_version"

    page: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str]
    participant_id: Mapped[int | None] = foreign_key("participant.id")
    origin: Mapped[PageOrigin] = enum_column(PageOrigin, "origin")
    base: Mapped[int | None]
    comment: Mapped[str]
    at: Mapped[str]
    retired: Mapped[bool] = mapped_column(default=False, server_default=false())


class GuidePictureRow(Base):
    """A picture file of the guide by the hash of its bytes; stored once even if shown twice."""

    __tablename__ = "guide_picture"

    hash: Mapped[str] = mapped_column(primary_key=True)
    content: Mapped[bytes]


class VersionPictureRow(Base):
    """The picture that a version of a page shows under a path in the guide's folder."""

    __tablename__ = "guide_version_picture"
    __table_args__ = (
        ForeignKeyConstraint(["page", "number"], ["guide_version.page", "guide_version.number"]),
    )

    page: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    path: Mapped[str] = mapped_column(primary_key=True)
    hash: Mapped[str] = foreign_key("guide_picture.hash")


class GuideDraftRow(Base):
    """The unsaved text of a page, stored at every change so that a crash loses nothing."""

    __tablename__ = "guide_draft"

    participant_id: Mapped[int] = foreign_key("participant.id", primary_key=True)
    page: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    base: Mapped[int | None]
    updated_at: Mapped[str]


class GuideFreezeRow(Base):
    """The guide as it was when an evaluation started; `version` is the hash of its pages."""

    __tablename__ = "guide_freeze"

    id: Mapped[int] = integer_key()
    version: Mapped[str]
    at: Mapped[str]


class FrozenPageRow(Base):
    __tablename__ = "frozen_page"
    __table_args__ = (
        ForeignKeyConstraint(["page", "number"], ["guide_version.page", "guide_version.number"]),
    )

    freeze_id: Mapped[int] = foreign_key("guide_freeze.id", primary_key=True)
    page: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
