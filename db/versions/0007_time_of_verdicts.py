"""The raw time of verdicts, lap by lap; and the group's verdicts that were taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_PLACES = ("image", "search", "taxonomy", "references", "comparison", "guide")
_WITH_A_LAP = ("review", "repeated_review", "flag_answer")


def upgrade() -> None:
    op.create_table(
        "lap_interval",
        sa.Column("session_id", sa.Uuid(as_uuid=False), nullable=False),
        sa.Column("lap", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=False),
        sa.Column("inputs", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            " OR ".join(f"place = '{place}'" for place in _PLACES),
            name=op.f("ck_lap_interval_place"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["session.id"], name=op.f("fk_lap_interval_session_id_session")
        ),
        sa.PrimaryKeyConstraint("session_id", "lap", "number", name=op.f("pk_lap_interval")),
    )
    for table in _WITH_A_LAP:
        op.add_column(table, sa.Column("lap", sa.Integer(), nullable=True))
    op.add_column(
        "adjudication",
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
