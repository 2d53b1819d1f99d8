"""Trainings with their trials, and families of classes."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_SOURCES = ("everything", "subtrees", "family", "mistakes", "look_alikes", "due")
_ORDERS = ("mixed", "by_class", "due_first")


def upgrade() -> None:
    _create_training()
    _create_training_trial()
    _create_family()
    _create_family_class()


def _create_training() -> None:
    op.create_table(
        "training",
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("ordering", sa.String(length=32), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("begun_at", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.CheckConstraint(_one_of("source", _SOURCES), name=op.f("ck_training_source")),
        sa.CheckConstraint(_one_of("ordering", _ORDERS), name=op.f("ck_training_ordering")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_training_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_training")),
    )
    op.create_index("ix_training_participant_id", "training", ["participant_id"])


def _create_training_trial() -> None:
    op.create_table(
        "training_trial",
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("training_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.ForeignKeyConstraint(
            ["trial_id"], ["trial.id"], name=op.f("fk_training_trial_trial_id_trial")
        ),
        sa.ForeignKeyConstraint(
            ["training_id"], ["training.id"], name=op.f("fk_training_trial_training_id_training")
        ),
        sa.PrimaryKeyConstraint("trial_id", name=op.f("pk_training_trial")),
    )
    op.create_index("ix_training_trial_training_id", "training_trial", ["training_id"])


def _create_family() -> None:
    op.create_table(
        "family",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("saved_at", sa.Text(), nullable=False),
        sa.Column("removed_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_family_participant_id_participant"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_family")),
    )
    op.create_index("ix_family_participant_id", "family", ["participant_id"])


def _create_family_class() -> None:
    op.create_table(
        "family_class",
        sa.Column("family_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["family_id"], ["family.id"], name=op.f("fk_family_class_family_id_family")
        ),
        sa.ForeignKeyConstraint(
            ["class_id"], ["class.id"], name=op.f("fk_family_class_class_id_class")
        ),
        sa.PrimaryKeyConstraint("family_id", "class_id", name=op.f("pk_family_class")),
    )


def _one_of(column: str, values: tuple[str, ...]) -> str:
    return " OR ".join(f"{column} = '{value}'" for value in values)
