"""Revisions of built datasets, their images, and the reviews of their classes."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_STRATEGIES = ("threshold", "top-images", "matched-frequency")
_STATES = ("incomplete", "complete", "final")
_REMOVALS = (
    "rejected",
    "too_few_answers",
    "near_duplicate",
    "not_reviewed",
    "outside_rule",
    "not_a_candidate",
)


def upgrade() -> None:
    op.create_table(
        "built_revision",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("dataset", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("strategy", sa.String(length=32), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        _check("built_revision", "strategy", _STRATEGIES),
        _check("built_revision", "state", _STATES),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_built_revision")),
        sa.UniqueConstraint("dataset", "revision", name=op.f("uq_built_revision_dataset_revision")),
    )
    _create_images()
    _create_removals()
    _create_reviews()
    table = "revision_dataset"
    op.create_table(
        table,
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        *_keys(table, dataset_id="dataset", revision_id="built_revision"),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f(f"pk_{table}")),
    )


def _create_images() -> None:
    table = "built_image"
    op.create_table(
        table,
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("bin", sa.Integer(), nullable=True),
        sa.Column("from_bin", sa.Integer(), nullable=True),
        sa.Column("carried", sa.Boolean(), nullable=False),
        *_keys(table, revision_id="built_revision", image_id="image", class_id="class"),
        sa.PrimaryKeyConstraint("revision_id", "image_id", name=op.f(f"pk_{table}")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_built_image_image_id", table, ["image_id"])


def _create_removals() -> None:
    table = "built_removal"
    op.create_table(
        table,
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        _check(table, "reason", _REMOVALS),
        *_keys(table, revision_id="built_revision", image_id="image"),
        sa.PrimaryKeyConstraint("revision_id", "image_id", name=op.f(f"pk_{table}")),
        sqlite_with_rowid=False,
    )


def _create_reviews() -> None:
    table = "class_review"
    op.create_table(
        table,
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reviewed", sa.Boolean(), nullable=False),
        sa.Column("needs_work", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        *_keys(table, revision_id="built_revision", class_id="class", participant_id="participant"),
        sa.PrimaryKeyConstraint(
            "revision_id", "class_id", "participant_id", "number", name=op.f(f"pk_{table}")
        ),
        sqlite_with_rowid=False,
    )


def _check(table: str, column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    allowed = " OR ".join(f"{column} = '{value}'" for value in values)
    return sa.CheckConstraint(allowed, name=op.f(f"ck_{table}_{column}"))


def _keys(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}_{target}")
        )
        for column, target in columns.items()
    ]
