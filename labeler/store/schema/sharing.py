"""Lead keys, packs, bundles with their tokens, and the chains of merged decisions.

A bundle's own database has the same tables: there `chain_entry` is the chain being written.
"""

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from labeler.core.study.entities import Role
from labeler.store.schema.base import Base, enum_column, foreign_key, integer_key


class LeadKeyRow(Base):
    """The keys of one lead; `locked_private` can be read with the lead's passphrase only."""

    __tablename__ = "lead_key"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    sealing_public: Mapped[bytes] = mapped_column(LargeBinary)
    signing_public: Mapped[bytes] = mapped_column(LargeBinary)
    locked_private: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[str]
    recovery_saved_at: Mapped[str | None]
    retired_at: Mapped[str | None]


class PackRow(Base):
    """A pack of pictures, and where the lead wrote it.

    `digest` identifies its contents once it is complete.
    """

    __tablename__ = "pack"

    id: Mapped[str] = mapped_column(primary_key=True)
    file: Mapped[str]
    digest: Mapped[str | None]
    made_at: Mapped[str]


class PackImageRow(Base):
    """The random token under which an image is in a pack; this never leaves the lead's study.

    A reference image that someone is also asked about has a second token for that.
    """

    __tablename__ = "pack_image"
    __table_args__ = (
        UniqueConstraint("pack_id", "image_id", "is_reference"),
        {"sqlite_with_rowid": False},
    )

    pack_id: Mapped[str] = foreign_key("pack.id", primary_key=True)
    token: Mapped[str] = mapped_column(primary_key=True)
    image_id: Mapped[int] = foreign_key("image.id")
    is_reference: Mapped[bool]


class BundleRow(Base):
    """A bundle that was made for a person in one role.

    `sealed_key` is the key of its contents, as JSON, which only a lead can open.
    """

    __tablename__ = "bundle"

    id: Mapped[str] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = foreign_key("participant.id", index=True)
    role: Mapped[Role] = enum_column(Role, "role")
    pack_id: Mapped[str]
    made_at: Mapped[str]
    sealed_key: Mapped[str | None]


class BundleTokenRow(Base):
    """The id that a bundle uses for an image, trial, visit or grid of the study."""

    __tablename__ = "bundle_token"
    __table_args__ = ({"sqlite_with_rowid": False},)

    bundle_id: Mapped[str] = foreign_key("bundle.id", primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(primary_key=True)
    original: Mapped[str]


class ChainWriterRow(Base):
    """A person at one installation, known by the fingerprint of its signing key.

    Only the bundle's own database has the private key. `signature` covers the last hash.
    """

    __tablename__ = "chain_writer"

    id: Mapped[str] = mapped_column(primary_key=True)
    bundle_id: Mapped[str]
    participant_id: Mapped[int] = foreign_key("participant.id", index=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    private_key: Mapped[bytes | None] = mapped_column(LargeBinary)
    confirmed_at: Mapped[str | None]
    last_number: Mapped[int]
    last_hash: Mapped[str]
    signature: Mapped[bytes | None] = mapped_column(LargeBinary)


class ChainEntryRow(Base):
    """One transaction of a writer: the rows it changed, as JSON, chained by hash.

    `accepted_at` is when the lead accepted an entry that came after the lock.
    """

    __tablename__ = "chain_entry"
    __table_args__ = ({"sqlite_with_rowid": False},)

    writer_id: Mapped[str] = foreign_key("chain_writer.id", primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hash: Mapped[str]
    content: Mapped[str]
    added_at: Mapped[str]
    accepted_at: Mapped[str | None]


class MergedRow(Base):
    """Which row of the study a writer's row became; keys are JSON lists."""

    __tablename__ = "merged_row"
    __table_args__ = ({"sqlite_with_rowid": False},)

    writer_id: Mapped[str] = foreign_key("chain_writer.id", primary_key=True)
    table_name: Mapped[str] = mapped_column(primary_key=True)
    local_key: Mapped[str] = mapped_column(primary_key=True)
    row_key: Mapped[str]


class ChangedRow(Base):
    """A row that the running transaction of a bundle has changed; triggers add it."""

    __tablename__ = "changed_row"

    number: Mapped[int] = integer_key()
    table_name: Mapped[str]
    key: Mapped[str]


class SealedSegmentRow(Base):
    """Locked work that only a lead can read: a part of the results file, up to `last_number`."""

    __tablename__ = "sealed_segment"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last_number: Mapped[int]
    content: Mapped[bytes] = mapped_column(LargeBinary)
