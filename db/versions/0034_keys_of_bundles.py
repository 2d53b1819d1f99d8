"""The key of each bundle, sealed to the leads, so that an update can bring new work."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bundle", sa.Column("sealed_key", sa.Text(), nullable=True))
