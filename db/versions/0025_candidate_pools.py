"""The role pool of datasets, and where candidates were found."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_OLD = "role = 'evaluation' OR role = 'training' OR role = 'reference'"
_NEW = f"{_OLD} OR role = 'pool'"
_REASONS = (
    "wrong_class",
    "drawing",
    "unlike_original",
    "unclear",
    "blurry",
    "occluded",
    "edited",
    "too_small",
    "near_duplicate",
    "other",
)


def upgrade() -> None:
    _allow_pools()
    op.create_table(
        "candidate",
        sa.Column("image_id", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("source", "source_id", "query", "taken_at", "uploaded_at")
        ),
        sa.ForeignKeyConstraint(
            ["image_id"], ["image.id"], name=op.f("fk_candidate_image_id_image")
        ),
        sa.PrimaryKeyConstraint("image_id", name=op.f("pk_candidate")),
    )
    op.create_table(
        "candidate_rejection",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            " OR ".join(f"reason = '{reason}'" for reason in _REASONS),
            name=op.f("ck_candidate_rejection_reason"),
        ),
        sa.ForeignKeyConstraint(
            ["image_id"],
            ["candidate.image_id"],
            name=op.f("fk_candidate_rejection_image_id_candidate"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_candidate_rejection_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate_rejection")),
    )
    op.create_index("ix_candidate_rejection_image_id", "candidate_rejection", ["image_id"])


def _allow_pools() -> None:
    """Change the check of the dataset's role.

    SQLite can't alter a constraint, and copying the table would break the keys that refer to it,
    so the stored statement is changed: no row depends on a check.
    """
    name = op.f("ck_dataset_role")
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.drop_constraint(name, "dataset", type_="check")
        op.create_check_constraint(name, "dataset", _NEW)
        return
    version = bind.exec_driver_sql("PRAGMA schema_version").scalar() or 0
    bind.exec_driver_sql("PRAGMA writable_schema = ON")
    bind.exec_driver_sql(
        "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?",
        (_OLD, _NEW, "dataset"),
    )
    bind.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    bind.exec_driver_sql("PRAGMA writable_schema = RESET")
