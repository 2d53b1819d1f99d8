"""A checksum for each packed value, and a generation stamp in the file."""

import zlib

import sqlalchemy as sa
from alembic import op

from labeler.store.engine.opened_file import new_generation

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("study", "taxonomy"),
    ("attention_interval", "inputs"),
    ("lap_interval", "inputs"),
    ("model_predictions", "labels"),
    ("model_predictions", "scores"),
)


def upgrade() -> None:
    connection = op.get_bind()
    for table, column in _COLUMNS:
        op.add_column(table, sa.Column(f"{column}_checksum", sa.BigInteger(), nullable=True))
        _fill(connection, table, column)
    if connection.dialect.name == "sqlite":
        op.execute(f"PRAGMA user_version = {new_generation()}")


def _fill(connection: sa.Connection, name: str, column: str) -> None:
    table = sa.Table(name, sa.MetaData(), autoload_with=connection, resolve_fks=False)
    keys = list(table.primary_key.columns)
    change = (
        sa.update(table)
        .where(*(key == sa.bindparam(f"key_{key.name}") for key in keys))
        .values({f"{column}_checksum": sa.bindparam("checksum")})
    )
    # In portions: the predictions of a thousand models don't fit into memory.
    rows = connection.execute(sa.select(*keys).where(table.c[column].is_not(None))).all()
    for start in range(0, len(rows), _PORTION):
        values = [
            {
                **{f"key_{key.name}": value for key, value in zip(keys, row, strict=True)},
                "checksum": zlib.crc32(_value(connection, table, column, row)),
            }
            for row in rows[start : start + _PORTION]
        ]
        connection.execute(change, values)


_PORTION = 10_000


def _value(connection: sa.Connection, table: sa.Table, column: str, row: sa.Row) -> bytes:
    query = sa.select(table.c[column]).where(
        *(key == value for key, value in zip(table.primary_key.columns, row, strict=True))
    )
    return bytes(connection.execute(query).scalar_one())
