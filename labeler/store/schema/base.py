"""What all tables share: naming of constraints, columns for enums and keys."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Enum, ForeignKey, Integer, MetaData, Table, Text, event
from sqlalchemy.orm import DeclarativeBase, MappedColumn, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Stamps are ISO 8601 text in UTC, durations integer milliseconds."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {str: Text}  # noqa: RUF012  (SQLAlchemy reads it from the class)


def table_of(row: type[Base]) -> Table:
    """Return the table behind a mapped class, for bulk statements."""
    return Base.metadata.tables[row.__tablename__]


def use_partial_indexes_on_postgresql() -> None:
    """Have the indexes that are partial on SQLite be so on PostgreSQL too.

    Only those who make or compare a schema ask for it: it imports that dialect, for which no one
    who opens a study on a disk should wait.
    """
    for table in Base.metadata.tables.values():
        for index in table.indexes:
            where = index.dialect_options["sqlite"]["where"]
            index.dialect_options["postgresql"]["where"] = where


def enum_column(enum: type[StrEnum], name: str, **options: Any) -> MappedColumn[Any]:
    """A text column called `name` that holds one of the enum's values, checked by the database."""
    kind = Enum(
        enum,
        name=name,
        native_enum=False,
        create_constraint=False,
        values_callable=lambda members: [member.value for member in members],
        length=32,
    )
    # SQLite builds a table for `IN (…)` at every insert, which made a review three times as dear.
    allowed = " OR ".join(f"{name} = '{member.value}'" for member in enum)
    check = CheckConstraint(allowed, name=name)
    column = mapped_column(kind, **options)
    # A constraint of the table, since migrations are not generated for those of a column.
    event.listen(
        column.column, "after_parent_attach", lambda _column, table: table.append_constraint(check)
    )
    return column


def foreign_key(target: str, **options: Any) -> MappedColumn[Any]:
    """A foreign key to `table.column`."""
    return mapped_column(ForeignKey(target), **options)


# An integer key that SQLite assigns by itself and PostgreSQL by a sequence.
def integer_key() -> MappedColumn[Any]:
    return mapped_column(Integer, primary_key=True, autoincrement=True)
