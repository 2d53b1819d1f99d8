"""Lead keys, packs, bundles and chains of decisions; images whose target isn't known here."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_ROLES = ("labeler", "reviewer", "lead", "annotator")


def upgrade() -> None:
    _allow_images_without_target()
    _create_keys()
    _create_packs()
    _create_bundles()
    _create_chains()


def _allow_images_without_target() -> None:
    """Let a bundle leave the target of an image out.

    SQLite can't drop NOT NULL, and a table that others refer to can't be copied. Its documentation
    allows this change of the stored statement, because it changes no stored row.
    """
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("image", "target_id", existing_type=sa.Integer(), nullable=True)
        return
    op.execute("PRAGMA writable_schema = ON")
    op.execute(
        "UPDATE sqlite_master SET sql = replace(sql, 'target_id INTEGER NOT NULL', "
        "'target_id INTEGER') WHERE type = 'table' AND name = 'image'"
    )
    op.execute("PRAGMA writable_schema = RESET")


def _create_keys() -> None:
    op.create_table(
        "lead_key",
        *(_text(name) for name in ("id", "name")),
        *(_bytes(name) for name in ("sealing_public", "signing_public", "locked_private")),
        _text("made_at"),
        *(_text(name, nullable=True) for name in ("recovery_saved_at", "retired_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lead_key")),
    )


def _create_packs() -> None:
    op.create_table(
        "pack",
        _text("id"),
        _text("file"),
        _text("digest", nullable=True),
        _text("made_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack")),
    )
    op.create_table(
        "pack_image",
        _text("pack_id"),
        _text("token"),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        _refer("pack_image", "pack_id", "pack"),
        _refer("pack_image", "image_id", "image"),
        sa.PrimaryKeyConstraint("pack_id", "token", name=op.f("pk_pack_image")),
        sa.UniqueConstraint(
            "pack_id",
            "image_id",
            "is_reference",
            name=op.f("uq_pack_image_pack_id_image_id_is_reference"),
        ),
        sqlite_with_rowid=False,
    )


def _create_bundles() -> None:
    allowed = " OR ".join(f"role = '{role}'" for role in _ROLES)
    op.create_table(
        "bundle",
        _text("id"),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=32), nullable=False),
        _text("pack_id"),
        _text("made_at"),
        sa.CheckConstraint(allowed, name=op.f("ck_bundle_role")),
        _refer("bundle", "participant_id", "participant"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bundle")),
    )
    op.create_index(op.f("ix_bundle_participant_id"), "bundle", ["participant_id"])
    op.create_table(
        "bundle_token",
        *(_text(name) for name in ("bundle_id", "kind", "token", "original")),
        _refer("bundle_token", "bundle_id", "bundle"),
        sa.PrimaryKeyConstraint("bundle_id", "kind", "token", name=op.f("pk_bundle_token")),
        sqlite_with_rowid=False,
    )


def _create_chains() -> None:
    op.create_table(
        "chain_writer",
        _text("id"),
        _text("bundle_id"),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        _bytes("public_key"),
        _bytes("private_key", nullable=True),
        _text("confirmed_at", nullable=True),
        sa.Column("last_number", sa.Integer(), nullable=False),
        _text("last_hash"),
        _bytes("signature", nullable=True),
        _refer("chain_writer", "participant_id", "participant"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chain_writer")),
    )
    op.create_index(op.f("ix_chain_writer_participant_id"), "chain_writer", ["participant_id"])
    op.create_table(
        "chain_entry",
        _text("writer_id"),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        *(_text(name) for name in ("hash", "content", "added_at")),
        _text("accepted_at", nullable=True),
        _refer("chain_entry", "writer_id", "chain_writer"),
        sa.PrimaryKeyConstraint("writer_id", "number", name=op.f("pk_chain_entry")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "merged_row",
        *(_text(name) for name in ("writer_id", "table_name", "local_key", "row_key")),
        _refer("merged_row", "writer_id", "chain_writer"),
        sa.PrimaryKeyConstraint("writer_id", "table_name", "local_key", name=op.f("pk_merged_row")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "changed_row",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        _text("table_name"),
        _text("key"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_changed_row")),
    )
    op.create_table(
        "sealed_segment",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("last_number", sa.Integer(), nullable=False),
        _bytes("content"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_sealed_segment")),
    )


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _refer(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}_{to}"))
