"""Revisions of error reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0031"
branch_labels = None
depends_on = None

_TABLE = "error_review"
_CHOICES = {
    "mistake": ("yes", "no", "unclear"),
    "category": (
        "fine_grained",
        "fine_grained_out_of_vocabulary",
        "spurious_correlation",
        "non_prototypical",
        "other",
    ),
    "severity": ("major", "minor", "borderline"),
}
_REFERRED = {"participant_id": "participant", "image_id": "image", "class_id": "class"}


def upgrade() -> None:
    """Create the table again with a longer key, which SQLite can't change, and copy its rows."""
    connection = op.get_bind()
    rows = [dict(row) for row in connection.execute(sa.text(f"SELECT * FROM {_TABLE}")).mappings()]
    op.drop_table(_TABLE)
    table = op.create_table(
        _TABLE,
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mistake", sa.String(length=32), nullable=False),
        sa.Column("category", sa.String(length=32), nullable=True),
        sa.Column("severity", sa.String(length=32), nullable=True),
        sa.Column("at", sa.Text(), nullable=True),
        *(_check(column, values) for column, values in _CHOICES.items()),
        *(_foreign_key(column, referred) for column, referred in _REFERRED.items()),
        sa.PrimaryKeyConstraint(*_REFERRED, "revision", name=op.f(f"pk_{_TABLE}")),
    )
    if rows:
        op.bulk_insert(table, [{**row, "revision": 1} for row in rows])


def _check(column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    allowed = " OR ".join(f"{column} = '{value}'" for value in values)
    return sa.CheckConstraint(allowed, name=op.f(f"ck_{_TABLE}_{column}"))


def _foreign_key(column: str, referred: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{_TABLE}_{column}_{referred}")
    return sa.ForeignKeyConstraint([column], [f"{referred}.id"], name=name)
