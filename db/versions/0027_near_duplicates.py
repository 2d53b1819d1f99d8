"""Near-duplicates: searches, distances, verdicts about pairs, sets, and chosen survivors."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_METRICS = ("l2", "features", "dssim", "source", "manual")
_VERDICTS = ("duplicate", "distinct", "unclear")


def upgrade() -> None:
    _create_distances()
    _create_verdicts()
    _create_sets()


def _create_distances() -> None:
    op.create_table(
        "near_duplicate_search",
        sa.Column("metric", sa.String(length=32), nullable=False),
        sa.Column("pair_limit", sa.Float(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("images", sa.Integer(), nullable=False),
        sa.Column("recall", sa.Float(), nullable=True),
        sa.Column("began_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        _check("near_duplicate_search", "metric", _METRICS),
        sa.PrimaryKeyConstraint("metric", name=op.f("pk_near_duplicate_search")),
    )
    op.create_table(
        "near_duplicate_neighbour",
        sa.Column("metric", sa.String(length=32), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("neighbours", sa.LargeBinary(), nullable=False),
        sa.Column("neighbours_checksum", sa.BigInteger(), nullable=True),
        _check("near_duplicate_neighbour", "metric", _METRICS),
        sa.PrimaryKeyConstraint("metric", "image_id", name=op.f("pk_near_duplicate_neighbour")),
        sqlite_with_rowid=False,
    )


def _create_verdicts() -> None:
    table = "near_duplicate_verdict"
    op.create_table(
        table,
        sa.Column("image_a_id", sa.Integer(), nullable=False),
        sa.Column("image_b_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(length=32), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("distance", sa.Float(), nullable=True),
        sa.Column("verdict", sa.String(length=32), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False),
        _check(table, "metric", _METRICS),
        _check(table, "verdict", _VERDICTS),
        *_keys(table, image_a_id="image", image_b_id="image", participant_id="participant"),
        sa.PrimaryKeyConstraint(
            "image_a_id",
            "image_b_id",
            "metric",
            "participant_id",
            "revision",
            name=op.f(f"pk_{table}"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f(f"ix_{table}_image_b_id"), table, ["image_b_id"])


def _create_sets() -> None:
    table = "near_duplicate_member"
    op.create_table(
        table,
        sa.Column("image_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("image_id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_set_id"), table, ["set_id"])
    table = "near_duplicate_choice"
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        *_keys(table, image_id="image", participant_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_image_id"), table, ["image_id"])


def _check(table: str, column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    allowed = " OR ".join(f"{column} = '{value}'" for value in values)
    return sa.CheckConstraint(allowed, name=op.f(f"ck_{table}_{column}"))


def _keys(table: str, **targets: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}_{target}")
        )
        for column, target in targets.items()
    ]
