"""How often classes are confused, as a file of the lead says."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "confusion",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("other_class_id", sa.Integer(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_confusion_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["other_class_id"], ["class.id"], name=op.f("fk_confusion_other_class_id_class")
        ),
        sa.PrimaryKeyConstraint("class_id", "other_class_id", name=op.f("pk_confusion")),
        sqlite_with_rowid=False,
    )
