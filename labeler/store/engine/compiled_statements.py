"""Statements that are compiled once, and the lines on which they are sent.

SQLAlchemy builds the text and knows the types; sending the text past it saves a labeler's commit
most of its time. A statement goes out on the connection of a session, where it is seen like any
other, or on a driver's own connection, where nothing is in between.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection, Dialect, Insert, Select, Table
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import UpdateBase

from labeler.store.schema import Base

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Bind:
    name: str
    prepare: Callable[[Any], Any] | None
    default: Any

    def value(self, values: Values) -> Any:
        given = values.get(self.name, self.default)
        return given if self.prepare is None else self.prepare(given)


@dataclass(frozen=True, slots=True)
class DialectStatement:
    """A statement in the words of one kind of database."""

    text: str
    binds: tuple[_Bind, ...]
    positional: bool

    def bound(self, values: Values) -> Any:
        """The values as the driver takes them."""
        if self.positional:
            return tuple([bind.value(values) for bind in self.binds])
        return {bind.name: bind.value(values) for bind in self.binds}


class CompiledStatement:
    """A statement to be sent often; `columns` are those that an insert fills."""

    def __init__(
        self,
        statement: Select[*tuple[Any, ...]] | UpdateBase,
        *,
        columns: Sequence[str] | None = None,
    ) -> None:
        # The number of a new row is of no use here, so that the database needn't return it.
        self._statement = statement.inline() if isinstance(statement, Insert) else statement
        self._columns = columns
        self._compiled: dict[str, DialectStatement] = {}

    def compiled(self, dialect: Dialect) -> DialectStatement:
        known = self._compiled.get(dialect.name)
        if known is None:
            known = self._compiled[dialect.name] = self._compile(dialect)
        return known

    def _compile(self, dialect: Dialect) -> DialectStatement:
        made = self._statement.compile(dialect=dialect, column_keys=self._columns)
        assert isinstance(made, SQLCompiler), "a statement, not the definition of a table"
        names = made.positiontup if made.positional else list(made.params)
        return DialectStatement(
            text=str(made),
            binds=tuple(_bind(made, name, dialect) for name in names or ()),
            positional=made.positional,
        )


class StatementExecutor(Protocol):
    """Where prepared statements are sent, within a transaction."""

    def first(self, statement: CompiledStatement, values: Values) -> Sequence[Any] | None:
        """The first row that the statement finds."""
        ...

    def run(self, statement: CompiledStatement, *values: Values) -> None:
        """Run the statement once for each of the values."""
        ...


class SessionExecutor:
    """The connection of a SQLAlchemy session."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def first(self, statement: CompiledStatement, values: Values) -> Sequence[Any] | None:
        compiled = statement.compiled(self._connection.dialect)
        return self._connection.exec_driver_sql(compiled.text, compiled.bound(values)).first()

    def run(self, statement: CompiledStatement, *values: Values) -> None:
        if values:
            compiled = statement.compiled(self._connection.dialect)
            rows = [compiled.bound(row) for row in values]
            self._connection.exec_driver_sql(compiled.text, rows)


class CursorExecutor:
    """A driver's own connection, by its cursor."""

    def __init__(self, cursor: Any, dialect: Dialect) -> None:
        self._cursor = cursor
        self._dialect = dialect

    def first(self, statement: CompiledStatement, values: Values) -> Sequence[Any] | None:
        compiled = statement.compiled(self._dialect)
        self._cursor.execute(compiled.text, compiled.bound(values))
        row: Sequence[Any] | None = self._cursor.fetchone()
        return row

    def run(self, statement: CompiledStatement, *values: Values) -> None:
        if values:
            compiled = statement.compiled(self._dialect)
            rows = [compiled.bound(row) for row in values]
            self._cursor.executemany(compiled.text, rows)


def table_of(row: type[Base]) -> Table:
    """The table behind a row's class, for statements that go past the object mapper."""
    return Base.metadata.tables[row.__tablename__]


def _bind(compiled: SQLCompiler, name: str, dialect: Dialect) -> _Bind:
    prepare = compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)
    return _Bind(name, prepare, compiled.params[name])
