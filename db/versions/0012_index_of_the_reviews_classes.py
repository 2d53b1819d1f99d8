"""An index for the images of a class, so that a review by class needn't read every label."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_review_item_class", "review_item", ["stage", "class_id"])
