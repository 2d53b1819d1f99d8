"""Plans of reviews, flags and their confirmation, discussed verdicts, resolutions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_STAGES = ("initial", "final")
_VERDICTS = ("correct", "wrong", "unclear")
_KINDS = ("several_objects", "synonym_or_subset", "ambiguous")
_REASONS = ("target_wrong", "drawing", "edited", "inappropriate")
_RULES = ("single", "majority", "unanimous", "adjudicated", "dawid-skene")


def upgrade() -> None:
    for column in ("discussed", "withdrawn"):
        op.add_column("review", _no(column))
    _create_plan()
    _create_items()
    _create_visits()
    _create_repeats()
    _create_repeated_reviews()
    _create_flags()
    _create_checks()
    _create_answers()
    _create_adjudications()
    _create_resolutions()


def _create_plan() -> None:
    op.create_table(
        "review_plan",
        _number("id", autoincrement=True),
        _choice("stage", _STAGES),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        _number("overlap"),
        _number("model_seeds"),
        sa.Column("again", sa.Double(), nullable=False),
        sa.Column("repeats", sa.Double(), nullable=False),
        _text("program_version"),
        _text("made_at"),
        _check("review_plan", "stage", _STAGES),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_plan")),
    )


def _create_items() -> None:
    op.create_table(
        "review_item",
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("class_id"),
        _number("plan_id", nullable=True),
        _number("added_by", nullable=True),
        _text("added_at"),
        _check("review_item", "stage", _STAGES),
        *_keys("review_item", image_id="image", class_id="class", plan_id="review_plan"),
        *_keys("review_item", added_by="participant"),
        sa.PrimaryKeyConstraint("stage", "image_id", "class_id", name=op.f("pk_review_item")),
        sqlite_with_rowid=False,
    )


def _create_visits() -> None:
    op.create_table(
        "review_visit",
        _uuid("id"),
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("participant_id"),
        sa.Column("place", sa.BigInteger(), nullable=False),
        _number("plan_id"),
        _check("review_visit", "stage", _STAGES),
        *_keys("review_visit", image_id="image", participant_id="participant"),
        *_keys("review_visit", plan_id="review_plan"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_visit")),
        _unique("review_visit", "participant_id", "stage", "image_id"),
    )


def _create_repeats() -> None:
    op.create_table(
        "review_repeat",
        _uuid("id"),
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("class_id"),
        _number("participant_id"),
        sa.Column("place", sa.BigInteger(), nullable=False),
        _number("plan_id"),
        _check("review_repeat", "stage", _STAGES),
        *_keys("review_repeat", image_id="image", class_id="class"),
        *_keys("review_repeat", participant_id="participant", plan_id="review_plan"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_repeat")),
        _unique("review_repeat", "participant_id", "stage", "image_id", "class_id"),
    )


def _create_repeated_reviews() -> None:
    op.create_table(
        "repeated_review",
        _uuid("repeat_id"),
        _number("revision"),
        _choice("verdict", _VERDICTS),
        _choice("kind", _KINDS, nullable=True),
        _no("withdrawn"),
        _text("at"),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        _uuid("session_id"),
        _check("repeated_review", "verdict", _VERDICTS),
        _check("repeated_review", "kind", _KINDS),
        *_keys("repeated_review", repeat_id="review_repeat", session_id="session"),
        sa.PrimaryKeyConstraint("repeat_id", "revision", name=op.f("pk_repeated_review")),
    )


def _create_flags() -> None:
    op.create_table(
        "review_flag",
        _number("id", autoincrement=True),
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("participant_id"),
        _choice("reason", _REASONS),
        _text("note"),
        _text("at"),
        _text("withdrawn_at", nullable=True),
        _check("review_flag", "stage", _STAGES),
        _check("review_flag", "reason", _REASONS),
        *_keys("review_flag", image_id="image", participant_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_flag")),
    )
    op.create_index("ix_review_flag_image_id", "review_flag", ["image_id"])


def _create_checks() -> None:
    op.create_table(
        "flag_check",
        _uuid("id"),
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("participant_id"),
        sa.Column("place", sa.BigInteger(), nullable=False),
        _text("made_at"),
        _check("flag_check", "stage", _STAGES),
        *_keys("flag_check", image_id="image", participant_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flag_check")),
        _unique("flag_check", "participant_id", "stage", "image_id"),
    )


def _create_answers() -> None:
    op.create_table(
        "flag_answer",
        _uuid("check_id"),
        _number("revision"),
        _text("reasons"),
        _text("note"),
        _text("at"),
        _uuid("session_id"),
        *_keys("flag_answer", check_id="flag_check", session_id="session"),
        sa.PrimaryKeyConstraint("check_id", "revision", name=op.f("pk_flag_answer")),
    )


def _create_adjudications() -> None:
    op.create_table(
        "adjudication",
        _choice("stage", _STAGES),
        _number("image_id"),
        _number("class_id"),
        _number("revision"),
        _choice("verdict", _VERDICTS),
        _choice("kind", _KINDS, nullable=True),
        _text("note"),
        _number("participant_id", nullable=True),
        _text("at"),
        _check("adjudication", "stage", _STAGES),
        _check("adjudication", "verdict", _VERDICTS),
        _check("adjudication", "kind", _KINDS),
        *_keys("adjudication", image_id="image", class_id="class", participant_id="participant"),
        sa.PrimaryKeyConstraint(
            "stage", "image_id", "class_id", "revision", name=op.f("pk_adjudication")
        ),
        sqlite_with_rowid=False,
    )


def _create_resolutions() -> None:
    op.create_table(
        "resolution",
        _number("id", autoincrement=True),
        _choice("rule", _RULES),
        _number("quorum"),
        _number("reviewer_id", nullable=True),
        *(_number(counted) for counted in ("correct", "wrong", "unclear", "open", "unsettled")),
        _text("resolved_at"),
        _check("resolution", "rule", _RULES),
        *_keys("resolution", reviewer_id="participant"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resolution")),
    )


def _number(
    name: str, *, nullable: bool = False, autoincrement: bool = False
) -> "sa.Column[int | None]":
    return sa.Column(name, sa.Integer(), nullable=nullable, autoincrement=autoincrement)


def _text(name: str, *, nullable: bool = False) -> "sa.Column[str | None]":
    return sa.Column(name, sa.Text(), nullable=nullable)


def _uuid(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.Uuid(as_uuid=False), nullable=False)


def _no(name: str) -> "sa.Column[bool]":
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())


def _choice(
    name: str, values: tuple[str, ...], *, nullable: bool = False
) -> "sa.Column[str | None]":
    kind = sa.Enum(*values, name=name, native_enum=False, length=32)
    return sa.Column(name, kind, nullable=nullable)


def _check(table: str, name: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    allowed = " OR ".join(f"{name} = '{value}'" for value in values)
    return sa.CheckConstraint(allowed, name=op.f(f"ck_{table}_{name}"))


def _keys(table: str, **referred: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}")
        )
        for column, other in referred.items()
    ]


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f(f"uq_{table}_{'_'.join(columns)}"))
