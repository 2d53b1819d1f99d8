"""Trials whose image couldn't be shown, time spent before a flag, sessions last heard of."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("session", sa.Column("active_at", sa.Text(), nullable=True))
    op.add_column("trial", sa.Column("flagged_wall_ms", sa.BigInteger(), nullable=True))
    _create_not_shown()


def _create_not_shown() -> None:
    op.create_table(
        "not_shown",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_not_shown_trial_id_trial")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_not_shown")),
    )
    op.create_index("ix_not_shown_trial_id", "not_shown", ["trial_id"])
