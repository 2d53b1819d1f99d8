"""Crowd tasks: grids, answers, and what is derived from them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "grid",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("barred", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["class_id"], ["class.id"], name=op.f("fk_grid_class_id_class")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grid")),
    )
    op.create_table(
        "candidate_label",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column(
            "reason",
            sa.Enum(
                "target",
                "frequent",
                "distant",
                "further",
                name="reason",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.CheckConstraint(
            "reason = 'target' OR reason = 'frequent' OR reason = 'distant' OR reason = 'further'",
            name=op.f("ck_candidate_label_reason"),
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_candidate_label_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_candidate_label_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", "class_id", name=op.f("pk_candidate_label")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "classify_answer",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("main", sa.Text(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("submitted_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_classify_answer_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_classify_answer_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint(
            "participant_id", "image_id", "revision", name=op.f("pk_classify_answer")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_classify_answer_image_id", "classify_answer", ["image_id"], unique=False)
    op.create_table(
        "contains_answer",
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("grid_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("selected", sa.Text(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("submitted_at", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "submitted", "returned", "rejected", name="state", native_enum=False, length=32
            ),
            nullable=False,
        ),
        sa.CheckConstraint(
            "state = 'submitted' OR state = 'returned' OR state = 'rejected'",
            name=op.f("ck_contains_answer_state"),
        ),
        sa.ForeignKeyConstraint(
            ["grid_id"], ["grid.id"], name=op.f("fk_contains_answer_grid_id_grid")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_contains_answer_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint(
            "participant_id", "grid_id", "revision", name=op.f("pk_contains_answer")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_contains_answer_grid_id", "contains_answer", ["grid_id"], unique=False)
    op.create_table(
        "grid_image",
        sa.Column("grid_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column(
            "role",
            sa.Enum("candidate", "positive", "negative", name="role", native_enum=False, length=32),
            nullable=False,
        ),
        sa.CheckConstraint(
            "role = 'candidate' OR role = 'positive' OR role = 'negative'",
            name=op.f("ck_grid_image_role"),
        ),
        sa.ForeignKeyConstraint(["grid_id"], ["grid.id"], name=op.f("fk_grid_image_grid_id_grid")),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_grid_image_image_id_image")
        ),
        sa.PrimaryKeyConstraint("grid_id", "position", name=op.f("pk_grid_image")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_grid_image_image_id", "grid_image", ["image_id"], unique=False)
    op.create_table(
        "image_object",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("object", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("ticked", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("object_class_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_image_object_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_image_object_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["object_class_id"], ["class.id"], name=op.f("fk_image_object_object_class_id_class")
        ),
        sa.PrimaryKeyConstraint("image_id", "object", "class_id", name=op.f("pk_image_object")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "image_summary",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column(
            "status",
            sa.Enum(
                "mislabeled",
                "too_few",
                "clear",
                "follow_up",
                "too_many_labels",
                name="status",
                native_enum=False,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("num_objects", sa.Integer(), nullable=True),
        sa.Column("count_answers", sa.Integer(), nullable=True),
        sa.Column("main_class_id", sa.Integer(), nullable=True),
        sa.Column("main_picks", sa.Integer(), nullable=True),
        sa.Column("main_object", sa.Integer(), nullable=True),
        sa.Column("target_object", sa.Integer(), nullable=True),
        sa.Column("optimal_partitions", sa.Integer(), nullable=True),
        sa.Column("ties", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "status = 'mislabeled' OR status = 'too_few' OR status = 'clear' "
            "OR status = 'follow_up' OR status = 'too_many_labels'",
            name=op.f("ck_image_summary_status"),
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_image_summary_image_id_image")
        ),
        sa.ForeignKeyConstraint(
            ["main_class_id"], ["class.id"], name=op.f("fk_image_summary_main_class_id_class")
        ),
        sa.PrimaryKeyConstraint("image_id", name=op.f("pk_image_summary")),
    )
    op.create_table(
        "selection_frequency",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("selected", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_selection_frequency_class_id_class")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_selection_frequency_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", "class_id", name=op.f("pk_selection_frequency")),
        sqlite_with_rowid=False,
    )
