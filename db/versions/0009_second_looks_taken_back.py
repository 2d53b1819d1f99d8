"""Answers at a second look that were taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "flag_answer",
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
