"""Crowd rounds: what is asked, who was given what, qualifications, links; the role annotator."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_TASKS = ("contains", "classify")
_ROLES = ("labeler", "reviewer", "lead", "annotator")


def upgrade() -> None:
    _allow_annotators()
    _create_rounds()
    _create_assignments()
    _create_qualifications()
    _create_links()


def _allow_annotators() -> None:
    """SQLite can't change a constraint; no other table refers to this one, so it is copied."""
    table = "participant_role"
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f(f"ck_{table}_role"), table, type_="check")
        allowed = " OR ".join(f"role = '{role}'" for role in _ROLES)
        op.create_check_constraint(op.f(f"ck_{table}_role"), table, allowed)
        return
    op.rename_table(table, "old_role")
    op.create_table(
        table,
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=32), nullable=False),
        _check(table, "role", _ROLES),
        *_keys(table, participant_id="participant"),
        sa.PrimaryKeyConstraint("participant_id", "role", name=op.f(f"pk_{table}")),
    )
    op.execute(f"INSERT INTO {table} SELECT participant_id, role FROM old_role")
    op.drop_table("old_role")


def _create_rounds() -> None:
    op.create_table(
        "crowd_round",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("planned_at", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.Text(), nullable=True),
        _check("crowd_round", "task", _TASKS),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crowd_round")),
    )
    table = "crowd_round_grid"
    op.create_table(
        table,
        sa.Column("grid_id", sa.Text(), nullable=False),
        sa.Column("round_id", sa.Text(), nullable=False),
        *_keys(table, grid_id="grid", round_id="crowd_round"),
        sa.PrimaryKeyConstraint("grid_id", name=op.f(f"pk_{table}")),
    )
    op.create_index("ix_crowd_round_grid_round_id", table, ["round_id"])
    table = "crowd_round_image"
    op.create_table(
        table,
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        *_keys(table, round_id="crowd_round", image_id="image"),
        sa.PrimaryKeyConstraint("round_id", "image_id", name=op.f(f"pk_{table}")),
    )
    op.create_index("ix_crowd_round_image_image_id", table, ["image_id"])


def _create_assignments() -> None:
    table = "crowd_assignment"
    op.create_table(
        table,
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("grid_id", sa.Text(), nullable=True),
        sa.Column("image_id", sa.Integer(), nullable=True),
        sa.Column("handed_at", sa.Text(), nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        _check(table, "state", ("open", "submitted", "returned")),
        *_keys(
            table,
            participant_id="participant",
            round_id="crowd_round",
            grid_id="grid",
            image_id="image",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint(
            "participant_id", "grid_id", name=op.f(f"uq_{table}_participant_id_grid_id")
        ),
        sa.UniqueConstraint(
            "participant_id", "image_id", name=op.f(f"uq_{table}_participant_id_image_id")
        ),
    )
    op.create_index(f"ix_{table}_grid_id", table, ["grid_id"])
    op.create_index(f"ix_{table}_image_id", table, ["image_id"])


def _create_qualifications() -> None:
    table = "crowd_qualification"
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(length=32), nullable=False),
        sa.Column("correct", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        _check(table, "task", _TASKS),
        *_keys(table, participant_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index(f"ix_{table}_participant_id", table, ["participant_id"])
    table = "crowd_qualification_image"
    op.create_table(
        table,
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        *_keys(table, participant_id="participant", image_id="image"),
        sa.PrimaryKeyConstraint("participant_id", "image_id", name=op.f(f"pk_{table}")),
    )


def _create_links() -> None:
    table = "crowd_link"
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("link_hash", sa.Text(), nullable=False),
        sa.Column("cookie_hash", sa.Text(), nullable=True),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("used_at", sa.Text(), nullable=True),
        sa.Column("revoked_at", sa.Text(), nullable=True),
        *_keys(table, participant_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("cookie_hash", name=op.f(f"uq_{table}_cookie_hash")),
        sa.UniqueConstraint("link_hash", name=op.f(f"uq_{table}_link_hash")),
    )
    op.create_index(f"ix_{table}_participant_id", table, ["participant_id"])
    op.create_table(
        "crowd_secret",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crowd_secret")),
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
