"""Indexes for a reviewer's next images, so that they are found without sorting all of them."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_ORDER = ["participant_id", "stage", "place"]


def upgrade() -> None:
    op.create_index("ix_review_visit_order", "review_visit", _ORDER)
    op.create_index("ix_review_repeat_order", "review_repeat", _ORDER)
