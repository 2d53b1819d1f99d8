"""Notes on training images, from the group's discussions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "discussion_note",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_discussion_note_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_discussion_note_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_discussion_note")),
    )
    op.create_index("ix_discussion_note_image_id", "discussion_note", ["image_id"])
