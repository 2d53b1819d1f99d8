"""Bringing many rows into a table: new ones added, identical ones skipped, others refused."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Dialect,
    FromClause,
    MetaData,
    Table,
    and_,
    exists,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.exc import IntegrityError

from labeler.core.errors import InputError
from labeler.core.exchange_rows import Fields
from labeler.store.exchange.reading import Chunk, Source
from labeler.store.schema import Base

Row = tuple[Any, ...]

# An imported answer is the first that the study has.
FIRST_REVISION = 1

# Rows in one statement: what a statement costs by itself is shared by so many.
_TOGETHER = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A table to merge into, and how a file's rows become its rows.

    The written columns are those of the key, those that are compared with what the study has
    (each with its column in the file), and the rest. `current` selects what the study says now,
    under the same names; `exact` gives a file's row its place in the table; `text` says a stored
    value in the file's words.
    """

    table: Table
    key: tuple[str, ...]
    compared: dict[str, str]
    rest: tuple[str, ...]
    current: FromClause
    exact: Callable[[Fields], Row]
    text: Callable[[str, Any], str]

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.key, *self.compared, *self.rest)


class Merge:
    """One file's rows on their way into a table.

    Rows whose first value is in `occupied` may be known to the study: they wait in a temporary
    table until all have come, and are compared there. The others go in at once. In both places
    the database's own key finds a row that stands twice.
    """

    def __init__(
        self,
        connection: Connection,
        destination: Destination,
        *,
        source: Source,
        occupied: Collection[int],
    ) -> None:
        self._connection = connection
        self._to = destination
        self._source = source
        self._occupied = frozenset(occupied)
        self._incoming = _incoming(destination)
        if self._occupied:
            self._incoming.create(connection)

    def add(self, rows: list[Row], chunk: Chunk) -> None:
        """Take rows, which came from the chunk."""
        if not self._occupied:
            self._insert(self._to.table, rows, chunk)
            return
        self._insert(self._to.table, [row for row in rows if row[0] not in self._occupied], chunk)
        self._insert(self._incoming, [row for row in rows if row[0] in self._occupied], chunk)

    def finish(self) -> int:
        """Add the waiting rows that are new; how many the study had already."""
        if not self._occupied:
            return 0
        self._refuse_differences()
        known = exists().where(self._matching())
        count = select(func.count()).select_from(self._incoming).where(known)
        skipped = self._connection.scalar(count) or 0
        fresh = select(*(self._incoming.c[name] for name in self._to.columns)).where(~known)
        self._connection.execute(insert(self._to.table).from_select(list(self._to.columns), fresh))
        self._incoming.drop(self._connection)
        return skipped

    def _insert(self, table: Table, rows: list[Row], chunk: Chunk) -> None:
        whole = len(rows) - len(rows) % _TOGETHER
        packs = [
            tuple(chain.from_iterable(rows[start : start + _TOGETHER]))
            for start in range(0, whole, _TOGETHER)
        ]
        try:
            self._execute(table, packs, _TOGETHER)
            self._execute(table, rows[whole:], 1)
        except IntegrityError as error:
            raise self._source.repetition(chunk) or error from error

    def _execute(self, table: Table, packs: list[Row], together: int) -> None:
        if packs:
            dialect = self._connection.dialect
            sql = positional_insert(dialect, table, self._to.columns, together)
            self._connection.exec_driver_sql(sql, packs)

    def _matching(self) -> Any:
        new, old = self._incoming.c, self._to.current.c
        return and_(*(new[name] == old[name] for name in self._to.key))

    def _refuse_differences(self) -> None:
        new, old = self._incoming.c, self._to.current.c
        differs = [new[name].is_distinct_from(old[name]) for name in self._to.compared]
        query = (
            select(*(new[name] for name in self._to.columns), *(old[n] for n in self._to.compared))
            .join(self._to.current, self._matching())
            .where(or_(*differs))
            .limit(1)
        )
        row = self._connection.execute(query).first()
        if row is not None:
            raise self._contradiction(tuple(row))

    def _contradiction(self, row: Row) -> InputError:
        """The error for a row's columns followed by what the study has instead."""
        width = len(self._to.key)
        given = row[width : width + len(self._to.compared)]
        stored = row[len(self._to.columns) :]
        record = self._source.find(lambda fields: self._to.exact(fields)[:width] == row[:width])
        pairs = zip(self._to.compared.items(), given, stored, strict=True)
        column, value = next((names, old) for names, new, old in pairs if new != old)
        return self._source.differing(record, column[1], self._to.text(column[0], value))


def positional_insert(dialect: Dialect, table: Table, columns: Sequence[str], together: int) -> str:
    """The driver's own INSERT of some rows together, with a place for each value in turn.

    Handed to the driver with plain tuples it is several times faster than an INSERT that
    SQLAlchemy fills from dictionaries.
    """
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.positional else "%s"
    names, marks = ", ".join(map(quote, columns)), ", ".join([mark] * len(columns))
    places = ", ".join([f"({marks})"] * together)
    return f"INSERT INTO {quote(table.name)} ({names}) VALUES {places}"


def _incoming(destination: Destination) -> Table:
    """A temporary table of the written columns, under the same key."""
    return Table(
        f"incoming_{destination.table.name}",
        MetaData(),
        *(
            Column(name, destination.table.c[name].type, primary_key=name in destination.key)
            for name in destination.columns
        ),
        prefixes=["TEMPORARY"],
    )


def table_of(row: type[Base]) -> Table:
    """The table behind a mapped class."""
    table = row.__table__
    assert isinstance(table, Table)
    return table
