"""Common parts of all tables: naming of constraints, columns for enums and keys."""

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Enum,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    event,
)
from sqlalchemy.orm import DeclarativeBase, MappedColumn, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Base of all tables. Times are ISO 8601 text in UTC, durations integer milliseconds."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {str: Text}  # noqa: RUF012  (SQLAlchemy reads it from the class)


def table_of(row: type[Base]) -> Table:
    """Return the table behind a mapped class, for bulk statements."""
    return Base.metadata.tables[row.__tablename__]


def use_partial_indexes_on_postgresql() -> None:
    """Make the indexes that are partial on SQLite also partial on PostgreSQL.

    Only called to create or compare a schema: it imports the PostgreSQL dialect, which would slow
    down opening a local study.
    """
    for table in Base.metadata.tables.values():
        for index in table.indexes:
            where = index.dialect_options["sqlite"]["where"]
            index.dialect_options["postgresql"]["where"] = where


def enum_column(
    enum: type[StrEnum], name: str, *, only: Collection[StrEnum] = (), **options: Any
) -> MappedColumn[Any]:
    """Return a text column `name` restricted to the enum's values by a check constraint.

    With `only`, the constraint allows just these values.
    """
    kind = Enum(
        enum,
        name=name,
        native_enum=False,
        create_constraint=False,
        values_callable=lambda members: [member.value for member in members],
        length=32,
    )
    # SQLite builds a table for `IN (…)` at every insert, which tripled the cost of a review.
    allowed = " OR ".join(f"{name} = '{member.value}'" for member in only or enum)
    check = CheckConstraint(allowed, name=name)
    column = mapped_column(kind, **options)
    # A constraint of the table, because migrations ignore constraints of a column.
    event.listen(
        column.column, "after_parent_attach", lambda _column, table: table.append_constraint(check)
    )
    return column


def checksum_column() -> MappedColumn[Any]:
    """Return the column for the checksum of a packed value; values of earlier programs have one."""
    return mapped_column(BigInteger, nullable=True)


def foreign_key(target: str, **options: Any) -> MappedColumn[Any]:
    """Return a foreign key to `table.column`."""
    return mapped_column(ForeignKey(target), **options)


# An integer key assigned by SQLite itself, and by a sequence on PostgreSQL.
def integer_key() -> MappedColumn[Any]:
    return mapped_column(Integer, primary_key=True, autoincrement=True)
