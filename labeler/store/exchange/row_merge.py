"""Merge many rows into a table: add new ones, skip identical ones, refuse contradictions."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Dialect,
    FromClause,
    Integer,
    MetaData,
    Select,
    Subquery,
    Table,
    and_,
    case,
    exists,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from labeler.core.errors import InputError
from labeler.core.study.exchange_format import REVISION
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.schema import Base

# This many steps of SQLite's virtual machine take a few hundredths of a second.
_STEPS_PER_CHECK = 1_000_000


@contextmanager
def interruptible(connection: Connection, ask: Callable[[], None]) -> Iterator[None]:
    """Call `ask` now and then while SQLite works; if it raises, the statement is aborted.

    The transaction is lost, as with every error of an import. A server isn't interrupted.
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
            # Exceptions can't pass through SQLite, so it is raised after the statement.
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

# Rows per statement, which share its overhead.
_ROWS_PER_INSERT = 64

_POSITION = "place_in_file"
_SECOND_OCCURRENCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTarget:
    """The table to merge into, and how it compares with the rows of a file.

    The written columns are the key, the compared columns (each with its name in the file), and the
    rest. `order` is the order of the index; `current` selects the state of the study to compare
    with, with the same column names; `text` formats a stored value as in the file.

    If the key ends with the revision, `current` has all revisions: the file may have any of them,
    but no others, unless it updates the study. `revisions` are all revisions in either case.
    """

    table: Table
    key: tuple[str, ...]
    compared: dict[str, str]
    rest: tuple[str, ...]
    order: tuple[str, ...]
    current: FromClause
    text: Callable[[str, Any], str]
    revisions: FromClause | None = None

    @property
    def subject(self) -> tuple[str, ...]:
        """The key without the revision."""
        return tuple(name for name in self.key if name != REVISION)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.key, *self.compared, *self.rest)


class MergeCounts(NamedTuple):
    """How many rows the study had, and how many became the next revision of one that it had."""

    skipped: int
    updated: int = 0


class RowMerge:
    """Merges the rows of one file into a table.

    The rows are collected in a temporary table and then inserted in key order: appending to the
    index has constant cost, inserting in the middle does not. Only rows whose first value is in
    `occupied` can already be in the study.
    """

    def __init__(
        self,
        connection: Connection,
        target: MergeTarget,
        *,
        source: CsvSource,
        occupied: Collection[int],
    ) -> None:
        self._connection = connection
        self._target = target
        self._source = source
        self._occupied = frozenset(occupied)
        self._may_be_known = False
        self._incoming = _incoming_table(target)
        self._incoming.create(connection)

    def add(self, rows: list[Row]) -> None:
        """Add rows with the target's columns, followed by the row's position in the file."""
        if self._occupied and not self._may_be_known:
            self._may_be_known = not self._occupied.isdisjoint(row[0] for row in rows)
        self._stage(rows)

    def finish(self) -> MergeCounts:
        """Insert the new rows and return how many the study already had."""
        updates = self._source.updates and self._may_be_known
        revisions = self._target.revisions if updates else None
        with interruptible(self._connection, self._source.report_done):
            counts = (
                MergeCounts(self._write()) if revisions is None else self._write_updates(revisions)
            )
        self._incoming.drop(self._connection)
        return counts

    def _write_updates(self, stored: FromClause) -> MergeCounts:
        """Insert the new rows, and those that differ as the next revision."""
        self._refuse_repetitions()
        new, subject = self._incoming.c, self._target.subject
        last = _last_revisions(stored, subject)
        same_subject = and_(*(new[name] == last.c[name] for name in subject))
        source = self._incoming.outerjoin(last, same_subject)
        known, changed = self._known_to(stored, last), last.c.last.is_not(None)
        skipped, updated = (
            self._connection.scalar(select(func.count()).select_from(source).where(part)) or 0
            for part in (known, changed & ~known)
        )
        place = func.row_number().over(
            partition_by=[new[name] for name in subject], order_by=(new[REVISION], new[_POSITION])
        )
        revision = case((changed, last.c.last + place), else_=new[REVISION])
        values = [revision if name == REVISION else new[name] for name in self._target.columns]
        rows = select(*values).select_from(source).where(~known)
        self._insert(rows.order_by(*(new[name] for name in self._target.order)))
        return MergeCounts(skipped, updated)

    def _known_to(self, stored: FromClause, last: FromClause) -> ColumnElement[bool]:
        """Return whether a row equals the last revision.

        If its number is one that the study has reached, it may equal any revision: what is
        imported twice, or late, changes nothing.
        """
        new = self._incoming.c
        reached = stored.c[REVISION] == last.c.last
        if REVISION in self._target.key:
            reached |= new[REVISION] <= last.c.last
        return exists().where(
            *(new[name] == stored.c[name] for name in self._target.subject),
            *(new[name].is_not_distinct_from(stored.c[name]) for name in self._target.compared),
            reached,
        )

    def _write(self) -> int:
        new_rows = select(*(self._incoming.c[name] for name in self._target.columns))
        skipped = 0
        if self._may_be_known:
            self._refuse_repetitions()
            self._refuse_differences()
            if self._target.key[-1] == REVISION:
                self._refuse_new_revisions()
            known = exists().where(self._matching())
            count = select(func.count()).select_from(self._incoming).where(known)
            skipped = self._connection.scalar(count) or 0
            new_rows = new_rows.where(~known)
        self._insert(new_rows.order_by(*(self._incoming.c[name] for name in self._target.order)))
        return skipped

    def _insert(self, new_rows: Select[Any]) -> None:
        insertion = insert(self._target.table).from_select(list(self._target.columns), new_rows)
        try:
            with self._savepoint():
                self._connection.execute(insertion)
        except IntegrityError as error:
            raise self._repetition() or error from error

    def _savepoint(self) -> AbstractContextManager[object]:
        """Return a savepoint, which a server needs to continue after a failed statement."""
        sqlite = self._connection.dialect.name == "sqlite"
        return nullcontext() if sqlite else self._connection.begin_nested()

    def _stage(self, rows: list[Row]) -> None:
        full_batches = len(rows) - len(rows) % _ROWS_PER_INSERT
        batches = [
            tuple(chain.from_iterable(rows[start : start + _ROWS_PER_INSERT]))
            for start in range(0, full_batches, _ROWS_PER_INSERT)
        ]
        self._execute(batches, _ROWS_PER_INSERT)
        self._execute(rows[full_batches:], 1)

    def _execute(self, batches: list[Row], rows_per_statement: int) -> None:
        if batches:
            columns = (*self._target.columns, _POSITION)
            dialect = self._connection.dialect
            sql = positional_insert(dialect, self._incoming, columns, rows_per_statement)
            self._connection.exec_driver_sql(sql, batches)

    def _matching(self) -> Any:
        new, old = self._incoming.c, self._target.current.c
        return and_(*(new[name] == old[name] for name in self._target.key))

    def _refuse_repetitions(self) -> None:
        repetition = self._repetition()
        if repetition is not None:
            raise repetition

    def _repetition(self) -> InputError | None:
        """Return the error for the first row whose key occurred earlier in the file, or None."""
        position = self._incoming.c[_POSITION]
        same_key = [self._incoming.c[name] for name in self._target.key]
        occurrences = select(
            position,
            func.min(position).over(partition_by=same_key).label("first"),
            func.row_number().over(partition_by=same_key, order_by=position).label("occurrence"),
        ).subquery()
        query = select(occurrences.c[_POSITION], occurrences.c.first).where(
            occurrences.c.occurrence == _SECOND_OCCURRENCE
        )
        row = self._connection.execute(query.order_by(occurrences.c[_POSITION]).limit(1)).first()
        if row is None:
            return None
        line, first = (self._source.at(each).line for each in row)
        return self._source.repeated(line, first)

    def _refuse_differences(self) -> None:
        new, old = self._incoming.c, self._target.current.c
        differs = [new[name].is_distinct_from(old[name]) for name in self._target.compared]
        query = (
            select(new[_POSITION], *(new[name] for name in self._target.compared))
            .add_columns(*(old[name] for name in self._target.compared))
            .join(self._target.current, self._matching())
            .where(or_(*differs))
            .order_by(new[_POSITION])
            .limit(1)
        )
        row = self._connection.execute(query).first()
        if row is not None:
            raise self._contradiction(*row)

    def _refuse_new_revisions(self) -> None:
        """Refuse a revision that the study doesn't have of something that it has."""
        new, old = self._incoming.c, self._target.current.c
        same = and_(*(new[name] == old[name] for name in self._target.key[:-1]))
        query = (
            select(new[_POSITION], func.max(old[REVISION]))
            .join(self._target.current, same)
            .where(~exists().where(self._matching()).correlate(self._incoming))
            .group_by(new[_POSITION])
            .order_by(new[_POSITION])
            .limit(1)
        )
        row = self._connection.execute(query).first()
        if row is not None:
            position, stored = row
            raise self._source.differing(self._source.at(position), REVISION, str(stored))

    def _contradiction(self, position: int, *values: Any) -> InputError:
        """Return the error for the row: its compared values, and those of the study."""
        width = len(self._target.compared)
        pairs = zip(self._target.compared.items(), values[:width], values[width:], strict=True)
        column, stored = next((names, old) for names, new, old in pairs if new != old)
        record = self._source.at(position)
        return self._source.differing(record, column[1], self._target.text(column[0], stored))


def _last_revisions(stored: FromClause, subject: Sequence[str]) -> Subquery:
    """Return the number of the last revision of everything that the study has."""
    columns = [stored.c[name] for name in subject]
    query = select(*columns, func.max(stored.c[REVISION]).label("last")).group_by(*columns)
    return query.subquery("last_revision")


def positional_insert(
    dialect: Dialect, table: Table, columns: Sequence[str], row_count: int
) -> str:
    """Return an INSERT of several rows with positional parameters.

    Passed to the driver with plain tuples it is several times faster than an INSERT that SQLAlchemy
    fills from dictionaries.
    """
    quote = dialect.identifier_preparer.quote
    mark = "?" if dialect.positional else "%s"
    names, marks = ", ".join(map(quote, columns)), ", ".join([mark] * len(columns))
    values = ", ".join([f"({marks})"] * row_count)
    return f"INSERT INTO {quote(table.name)} ({names}) VALUES {values}"


def _incoming_table(target: MergeTarget) -> Table:
    """Return a temporary table with the written columns and the rows' positions in the file."""
    return Table(
        f"incoming_{target.table.name}",
        MetaData(),
        *(Column(name, target.table.c[name].type) for name in target.columns),
        Column(_POSITION, Integer),
        prefixes=["TEMPORARY"],
    )


def table_of(row: type[Base]) -> Table:
    """Return the table of a mapped class."""
    table = row.__table__
    assert isinstance(table, Table)
    return table
