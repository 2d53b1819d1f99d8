"""Decoys of reviews, apart from the labels that reviewers are asked."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("review_plan", sa.Column("leak", sa.Double(), nullable=True))
    op.create_table(
        "review_decoy",
        sa.Column(
            "stage",
            sa.Enum("initial", "final", name="stage", native_enum=False, length=32),
            nullable=False,
        ),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "stage = 'initial' OR stage = 'final'", name=op.f("ck_review_decoy_stage")
        ),
        sa.ForeignKeyConstraint(
            ["stage", "image_id", "class_id"],
            ["review_item.stage", "review_item.image_id", "review_item.class_id"],
            name=op.f("fk_review_decoy_stage_review_item"),
        ),
        sa.PrimaryKeyConstraint("stage", "image_id", "class_id", name=op.f("pk_review_decoy")),
        sqlite_with_rowid=False,
    )
