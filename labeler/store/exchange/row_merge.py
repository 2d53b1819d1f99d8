"""Bringing many rows into a table: new ones added, identical ones skipped, others refused."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Dialect,
    FromClause,
    Integer,
    MetaData,
    Select,
    Table,
    and_,
    exists,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from labeler.core.errors import InputError
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.schema import Base

# So many steps of SQLite's machine take some hundredths of a second.
_STEPS_PER_CHECK = 1_000_000


@contextmanager
def interruptible(connection: Connection, ask: Callable[[], None]) -> Iterator[None]:
    """Call `ask` now and then while SQLite works; what it raises ends the statement.

    The transaction is lost with it, as with every error of an import. A server isn't interrupted.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    driver: Any = connection.connection.dbapi_connection
    raised: list[BaseException] = []

    def interrupts() -> bool:
        try:
            ask()
        except BaseException as error:
            # Nothing may pass through SQLite: it goes on its way when the statement has ended.
            raised.append(error)
        return bool(raised)

    driver.set_progress_handler(interrupts, _STEPS_PER_CHECK)
    try:
        yield
    except DBAPIError as error:
        raise (raised[0] if raised else error) from None
    finally:
        driver.set_progress_handler(None, 0)


Row = tuple[Any, ...]

# An imported answer is the first that the study has.
FIRST_REVISION = 1

# Rows in one statement: what a statement costs by itself is shared by so many.
_ROWS_PER_INSERT = 64

_PLACE = "place_in_file"
_SECOND_OCCURRENCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTarget:
    """A table to merge into, and how what it has compares with a file's rows.

    The written columns are those of the key, those that are compared with what the study has
    (each with its column in the file), and the rest. `order` is that of the index in which the
    rows lie; `current` selects what the study says now, under the same names; `text` says a
    stored value in the file's words.
    """

    table: Table
    key: tuple[str, ...]
    compared: dict[str, str]
    rest: tuple[str, ...]
    order: tuple[str, ...]
    current: FromClause
    text: Callable[[str, Any], str]

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.key, *self.compared, *self.rest)


class RowMerge:
    """One file's rows on their way into a table.

    They wait in a temporary table until all have come, and go on in the order of the table's key:
    a row that goes in behind the last costs the same however many there are, one that goes in
    between costs more with each. Only rows whose first value is in `occupied` may be known to the
    study.
    """

    def __init__(
        self,
        connection: Connection,
        destination: MergeTarget,
        *,
        source: CsvSource,
        occupied: Collection[int],
    ) -> None:
        self._connection = connection
        self._to = destination
        self._source = source
        self._occupied = frozenset(occupied)
        self._may_be_known = False
        self._incoming = _incoming_table(destination)
        self._incoming.create(connection)

    def add(self, rows: list[Row]) -> None:
        """Take rows: the destination's columns, and behind them the row's place in the file."""
        if self._occupied and not self._may_be_known:
            self._may_be_known = not self._occupied.isdisjoint(row[0] for row in rows)
        self._keep(rows)

    def finish(self) -> int:
        """Add the rows that are new; how many the study had already."""
        with interruptible(self._connection, self._source.report_done):
            skipped = self._write()
        self._incoming.drop(self._connection)
        return skipped

    def _write(self) -> int:
        fresh = select(*(self._incoming.c[name] for name in self._to.columns))
        skipped = 0
        if self._may_be_known:
            self._refuse_repetitions()
            self._refuse_differences()
            known = exists().where(self._matching())
            count = select(func.count()).select_from(self._incoming).where(known)
            skipped = self._connection.scalar(count) or 0
            fresh = fresh.where(~known)
        self._insert(fresh.order_by(*(self._incoming.c[name] for name in self._to.order)))
        return skipped

    def _insert(self, fresh: Select[Any]) -> None:
        insertion = insert(self._to.table).from_select(list(self._to.columns), fresh)
        try:
            with self._savepoint():
                self._connection.execute(insertion)
        except IntegrityError as error:
            raise self._repetition() or error from error

    def _savepoint(self) -> AbstractContextManager[object]:
        """A server needs a savepoint to go on behind a statement that failed."""
        sqlite = self._connection.dialect.name == "sqlite"
        return nullcontext() if sqlite else self._connection.begin_nested()

    def _keep(self, rows: list[Row]) -> None:
        full_batches = len(rows) - len(rows) % _ROWS_PER_INSERT
        packs = [
            tuple(chain.from_iterable(rows[start : start + _ROWS_PER_INSERT]))
            for start in range(0, full_batches, _ROWS_PER_INSERT)
        ]
        self._execute(packs, _ROWS_PER_INSERT)
        self._execute(rows[full_batches:], 1)

    def _execute(self, packs: list[Row], together: int) -> None:
        if packs:
            columns = (*self._to.columns, _PLACE)
            dialect = self._connection.dialect
            sql = positional_insert(dialect, self._incoming, columns, together)
            self._connection.exec_driver_sql(sql, packs)

    def _matching(self) -> Any:
        new, old = self._incoming.c, self._to.current.c
        return and_(*(new[name] == old[name] for name in self._to.key))

    def _refuse_repetitions(self) -> None:
        repetition = self._repetition()
        if repetition is not None:
            raise repetition

    def _repetition(self) -> InputError | None:
        """The error for the first row whose key stood before in the file, if any."""
        place = self._incoming.c[_PLACE]
        alike = [self._incoming.c[name] for name in self._to.key]
        turns = select(
            place,
            func.min(place).over(partition_by=alike).label("first"),
            func.row_number().over(partition_by=alike, order_by=place).label("turn"),
        ).subquery()
        query = select(turns.c[_PLACE], turns.c.first).where(turns.c.turn == _SECOND_OCCURRENCE)
        row = self._connection.execute(query.order_by(turns.c[_PLACE]).limit(1)).first()
        if row is None:
            return None
        again, first = (self._source.at(each).line for each in row)
        return self._source.repeated(again, first)

    def _refuse_differences(self) -> None:
        new, old = self._incoming.c, self._to.current.c
        differs = [new[name].is_distinct_from(old[name]) for name in self._to.compared]
        query = (
            select(new[_PLACE], *(new[name] for name in self._to.compared))
            .add_columns(*(old[name] for name in self._to.compared))
            .join(self._to.current, self._matching())
            .where(or_(*differs))
            .order_by(new[_PLACE])
            .limit(1)
        )
        row = self._connection.execute(query).first()
        if row is not None:
            raise self._contradiction(*row)

    def _contradiction(self, place: int, *values: Any) -> InputError:
        """The error for the row there: what is compared of it, and what the study has instead."""
        width = len(self._to.compared)
        pairs = zip(self._to.compared.items(), values[:width], values[width:], strict=True)
        column, stored = next((names, old) for names, new, old in pairs if new != old)
        record = self._source.at(place)
        return self._source.differing(record, column[1], self._to.text(column[0], stored))


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


def _incoming_table(destination: MergeTarget) -> Table:
    """A temporary table of the written columns, and of the rows' places in the file."""
    return Table(
        f"incoming_{destination.table.name}",
        MetaData(),
        *(Column(name, destination.table.c[name].type) for name in destination.columns),
        Column(_PLACE, Integer),
        prefixes=["TEMPORARY"],
    )


def table_of(row: type[Base]) -> Table:
    """The table behind a mapped class."""
    table = row.__table__
    assert isinstance(table, Table)
    return table
