"""The guide's pages with their versions and drafts, and what an evaluation froze of them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_guide_version()
    _create_guide_draft()
    _create_guide_freeze()


def _create_guide_version() -> None:
    op.create_table(
        "guide_version",
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column(
            "origin",
            sa.Enum(
                "folder", "edit", "merge", "restore", name="origin", native_enum=False, length=32
            ),
            nullable=False,
        ),
        sa.Column("base", sa.Integer(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "origin = 'folder' OR origin = 'edit' OR origin = 'merge' OR origin = 'restore'",
            name=op.f("ck_guide_version_origin"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_guide_version_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("page", "number", name=op.f("pk_guide_version")),
    )


def _create_guide_draft() -> None:
    op.create_table(
        "guide_draft",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=True),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_guide_draft_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("participant_id", "page", name=op.f("pk_guide_draft")),
    )


def _create_guide_freeze() -> None:
    op.create_table(
        "guide_freeze",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guide_freeze")),
    )
    op.create_table(
        "frozen_page",
        sa.Column("freeze_id", sa.Integer(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["freeze_id"], ["guide_freeze.id"], name=op.f("fk_frozen_page_freeze_id_guide_freeze")
        ),
        sa.ForeignKeyConstraint(
            ["page", "number"],
            ["guide_version.page", "guide_version.number"],
            name=op.f("fk_frozen_page_page_guide_version"),
        ),
        sa.PrimaryKeyConstraint("freeze_id", "page", name=op.f("pk_frozen_page")),
    )
