"""Hidden repeats of an evaluation, and imported intervals and error reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_PLACES = ("image", "search", "taxonomy", "references", "comparison", "guide")
_MISTAKES = ("yes", "no", "unclear")
_CATEGORIES = (
    "fine_grained",
    "fine_grained_out_of_vocabulary",
    "spurious_correlation",
    "non_prototypical",
    "other",
)
_SEVERITIES = ("major", "minor", "borderline")


def upgrade() -> None:
    op.add_column("sample", sa.Column("repeats", sa.Double(), nullable=False, server_default="0"))
    op.add_column("trial", sa.Column("asking", sa.Integer(), nullable=False, server_default="1"))
    op.add_column(
        "problematic", sa.Column("repeated_trial_id", sa.Uuid(as_uuid=False), nullable=True)
    )
    _replace_trial_indexes()
    _create_repeated_predictions()
    _create_imported_intervals()
    _create_error_reviews()


def _replace_trial_indexes() -> None:
    evaluation = sa.text("task = 'evaluate'")
    op.drop_index("uq_trial_evaluation", "trial")
    op.create_index(
        "uq_trial_evaluation",
        "trial",
        ["participant_id", "image_id", "asking"],
        unique=True,
        sqlite_where=evaluation,
        postgresql_where=evaluation,
    )
    op.drop_index("ix_trial_order", "trial")
    op.create_index(
        "ix_trial_order", "trial", ["participant_id", "task", "position", "image_id", "asking"]
    )


def _create_repeated_predictions() -> None:
    table = "repeated_prediction"
    op.create_table(
        table,
        sa.Column("id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("trial_id", sa.Uuid(as_uuid=False), nullable=True),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("asking", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("escape_hatch", sa.Boolean(), nullable=False),
        sa.Column("alternative_id", sa.Integer(), nullable=True),
        sa.Column("confidence", sa.Integer(), nullable=True),
        sa.Column("known_image", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("wall_ms", sa.BigInteger(), nullable=True),
        sa.Column("shown_at", sa.Text(), nullable=True),
        sa.Column("committed_at", sa.Text(), nullable=False),
        *_keys(
            table,
            trial_id="trial",
            participant_id="participant",
            image_id="image",
            class_id="class",
            alternative_id="class",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint(
            "participant_id",
            "image_id",
            "asking",
            "revision",
            name=op.f(f"uq_{table}_participant_id_image_id_asking_revision"),
        ),
        sa.UniqueConstraint("trial_id", "revision", name=op.f(f"uq_{table}_trial_id_revision")),
    )


def _create_imported_intervals() -> None:
    table = "imported_interval"
    op.create_table(
        table,
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=False),
        _check(table, "place", _PLACES),
        *_keys(table, participant_id="participant", image_id="image"),
        sa.PrimaryKeyConstraint("participant_id", "image_id", "number", name=op.f(f"pk_{table}")),
    )


def _create_error_reviews() -> None:
    table = "error_review"
    op.create_table(
        table,
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("mistake", sa.String(length=32), nullable=False),
        sa.Column("category", sa.String(length=32), nullable=True),
        sa.Column("severity", sa.String(length=32), nullable=True),
        sa.Column("at", sa.Text(), nullable=True),
        _check(table, "mistake", _MISTAKES),
        _check(table, "category", _CATEGORIES),
        _check(table, "severity", _SEVERITIES),
        *_keys(table, participant_id="participant", image_id="image", class_id="class"),
        sa.PrimaryKeyConstraint("participant_id", "image_id", "class_id", name=op.f(f"pk_{table}")),
    )


def _check(table: str, column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    allowed = " OR ".join(f"{column} = '{value}'" for value in values)
    return sa.CheckConstraint(allowed, name=op.f(f"ck_{table}_{column}"))


def _keys(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{referred}.id"], name=op.f(f"fk_{table}_{column}_{referred}")
        )
        for column, referred in columns.items()
    ]
