"""Properties of images, which become subsets of the report, as a file of the lead says."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "image_factor",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("factor", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_image_factor_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", "factor", name=op.f("pk_image_factor")),
        sqlite_with_rowid=False,
    )
