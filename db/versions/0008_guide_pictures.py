"""The guide's picture files with the versions that show them, and pages that are retired."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "guide_version",
        sa.Column("retired", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.create_table(
        "guide_picture",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_guide_picture")),
    )
    op.create_table(
        "guide_version_picture",
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["hash"],
            ["guide_picture.hash"],
            name=op.f("fk_guide_version_picture_hash_guide_picture"),
        ),
        sa.ForeignKeyConstraint(
            ["page", "number"],
            ["guide_version.page", "guide_version.number"],
            name=op.f("fk_guide_version_picture_page_guide_version"),
        ),
        sa.PrimaryKeyConstraint("page", "number", "path", name=op.f("pk_guide_version_picture")),
    )
