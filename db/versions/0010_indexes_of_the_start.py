"""Indexes for what a labeler waits for at the start, so that it takes no longer in a long order."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_LOCKED = sa.text("locked_at IS NOT NULL")
_TRAINING = sa.text("occasion = 'training'")


def upgrade() -> None:
    op.create_index("ix_trial_order", "trial", ["participant_id", "task", "position", "image_id"])
    op.create_index(
        "ix_trial_locked",
        "trial",
        ["participant_id", "task", "locked_at"],
        sqlite_where=_LOCKED,
        postgresql_where=_LOCKED,
    )
    op.create_index(
        "ix_exposure_training",
        "exposure",
        ["participant_id", "image_id"],
        sqlite_where=_TRAINING,
        postgresql_where=_TRAINING,
    )
