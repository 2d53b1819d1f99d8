"""The connection to a study's database: how it is opened, read and written."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.orm import Session

from labeler.core.errors import EnvironmentFault, Refused

# How long a writer waits for another program's write before it gives up.
BUSY_SECONDS = 60
_WRITES = "labeler_writes"
# The number of the lock that a writer holds on a server; any other program may not know it.
_WRITERS_TURN = 0x6C6162656C6572


class Database:
    """Short transactions on one study's database; safe beside other programs on the same one."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.engine = _sqlite_engine(url) if is_sqlite(url) else _server_engine(url)

    @property
    def is_sqlite(self) -> bool:
        return is_sqlite(self.url)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view of the study; nothing done in it is kept."""
        with _faults_told(), self.engine.connect() as connection:
            reader = connection if self.is_sqlite else _with_one_view(connection)
            with Session(reader) as session:
                yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction: all of it is on disk when the block ends, or none of it."""
        with _faults_told(), self.engine.connect() as connection:
            writer = connection.execution_options(**{_WRITES: True})
            with Session(writer) as session, session.begin():
                yield session

    def close(self) -> None:
        self.engine.dispose()


def sqlite_url(file: Path) -> URL:
    return URL.create("sqlite", database=str(file))


def server_url(address: str) -> URL:
    """The URL of a PostgreSQL database, with the driver that the `postgres` extra installs."""
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise Refused(f"'{_hidden(address)}' is no address of a database.") from error
    if url.get_backend_name() != "postgresql":
        raise Refused(
            f"A shared study lies in PostgreSQL, not in {url.get_backend_name()}: give an address "
            "like postgresql://user@host/database."
        )
    if url.password is not None:
        raise Refused(
            "Leave the password out of the address, so that no file of the study holds it: "
            "PostgreSQL finds it in ~/.pgpass or the variable PGPASSWORD."
        )
    return url.set(drivername="postgresql+psycopg")


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _hidden(address: str) -> str:
    """The address without what may be a password."""
    return address.rpartition("@")[2]


def _sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _server_engine(url: URL) -> Engine:
    try:
        engine = create_engine(url)
    except ModuleNotFoundError as error:
        raise EnvironmentFault(
            "A study on a PostgreSQL server needs a driver that isn't installed: "
            "`pip install labeler[postgres]`."
        ) from error
    event.listen(engine, "begin", _begin_on_server)
    return engine


def _begin_on_server(connection: Connection) -> None:
    # Writers take turns, as they do in SQLite, so that no rule is checked against an outdated view.
    if connection.get_execution_options().get(_WRITES):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITERS_TURN})")


def _with_one_view(connection: Connection) -> Connection:
    """PostgreSQL would show each statement of a transaction what others committed before it."""
    return connection.execution_options(isolation_level="REPEATABLE READ")


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # Python's driver would start transactions by itself, too late for a consistent read.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={BUSY_SECONDS * 1000}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its place at once: a reader that turns writer could find its view outdated.
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _faults_told() -> Iterator[None]:
    """Turn what the machine refused into a sentence; other errors are ours and pass."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error, OperationalError) or _is_damage(error):
            raise EnvironmentFault(_sentence(str(error.orig))) from error
        raise


def _is_damage(error: DBAPIError) -> bool:
    # SQLite has no error class of its own for a broken file: it is the plain base class.
    return type(error.orig) is sqlite3.DatabaseError


_BUSY = "The study is busy: another program has been writing to it for a minute. Try again."
_SENTENCES = {
    "locked": _BUSY,
    "lock timeout": _BUSY,
    "readonly": "The study can't be written: its file or folder is read-only.",
    "disk is full": "The disk is full: the study wasn't changed. Free some space and try again.",
    "disk I/O": "The disk failed while the study was read or written. Check the drive.",
    "unable to open": "The study's file can't be opened. Check that the drive is there.",
    "malformed": "The study's file is damaged. `labeler check` says more; backups can replace it.",
    "not a database": "The study's file is no database. `labeler backup --restore` can replace it.",
}


def _sentence(message: str) -> str:
    for part, sentence in _SENTENCES.items():
        if part in message:
            return sentence
    return f"The study's database refused: {message.strip().splitlines()[0]}."
