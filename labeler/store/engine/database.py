"""The connection to a study's database: how it is opened, read and written."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.store.engine.checksums import RESTORE_ADVICE, RESTORE_COMMAND
from labeler.store.engine.opened_file import OpenedFile
from labeler.store.engine.server_faults import BUSY, server_fault
from labeler.store.engine.sqlite_file import (
    configure_connection,
    is_disk_full,
    is_drive_read_only,
    is_folder_read_only,
    is_immutable,
)

# How long a writer waits for another program's write before it gives up.
BUSY_TIMEOUT_SECONDS = 60
# The same where a person waits, whose answer has another safe place.
SHORT_TIMEOUT_SECONDS = 3
# How long anyone waits for a server that doesn't answer at all.
_CONNECT_TIMEOUT_SECONDS = 10
_WRITE_OPTION = "labeler_writes"
# The number of the lock that a writer holds on a server; any other program may not know it.
_WRITER_LOCK_ID = 0x6C6162656C6572

_log = logging.getLogger(__name__)


class Database:
    """Short transactions on one study's database; safe next to other programs on the same one.

    A hurried one waits no longer than a person likes to, then tells that the study is busy.
    """

    def __init__(self, url: URL, *, hurried: bool = False, file: OpenedFile | None = None) -> None:
        self.url = url
        self._patience = SHORT_TIMEOUT_SECONDS if hurried else BUSY_TIMEOUT_SECONDS
        self._file = file or _watched_file(url)
        self.engine = _engine(url, self._patience)
        if self._file is not None:
            _check_before_connecting(self.engine, self._file)

    def hurried(self) -> "Database":
        """Return the same database for interactive use, which waits only briefly for others."""
        file = None if self._file is None else self._file.shared()
        return Database(self.url, hurried=True, file=file)

    @property
    def is_sqlite(self) -> bool:
        return is_sqlite(self.url)

    @property
    def address(self) -> str:
        """The address without a password, for messages."""
        return _server_address(self.url)

    def require_in_place(self) -> None:
        """Refuse if another file has taken the place of the database, or none is left."""
        if self._file is not None:
            self._file.require_in_place()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view of the study; nothing done in it is kept."""
        self.require_in_place()
        with (
            _log_transaction("read transaction"),
            self.translate_errors(),
            self.engine.connect() as connection,
        ):
            reader = connection if self.is_sqlite else _repeatable_read(connection)
            with Session(reader) as session:
                yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction: all of it is on disk when the block ends, or none of it.

        What was written into a file that has been deleted or replaced is reported as lost.
        """
        self.require_in_place()
        with (
            _log_transaction("write transaction"),
            self.translate_errors(),
            self.engine.connect() as connection,
        ):
            writer = connection.execution_options(**{_WRITE_OPTION: True})
            with Session(writer) as session, session.begin():
                yield session
        self.require_in_place()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn what the machine refused into a sentence; other errors are ours and pass."""
        try:
            yield
        except DBAPIError as error:
            if isinstance(error.orig, self._operational_error) or _is_damage(error.orig):
                raise self._fault(str(error.orig)) from error
            raise

    def _fault(self, message: str) -> EnvironmentFault:
        file = Path(self.url.database or "") if self.is_sqlite else None
        if "unable to open" in message and file is not None and is_folder_read_only(file):
            return EnvironmentFault(_UNOPENABLE)
        if file is not None and ("disk I/O" in message or "unable to open" in message):
            # SQLite's words for a file next to the database that it couldn't create or extend.
            message = _disk_state(file) or message
        if file is None:
            return server_fault(message, address=self.address, patience=self._patience)
        return _fault(message, self._patience)

    @property
    def _operational_error(self) -> type[Exception]:
        error: type[Exception] = self.engine.dialect.loaded_dbapi.OperationalError
        return error

    def close(self) -> None:
        self.engine.dispose()
        if self._file is not None:
            self._file.release()


def _check_before_connecting(engine: Engine, file: OpenedFile) -> None:
    """Check the file before SQLite opens the path: it would create one where none is left.

    The listener knows the file only. SQLAlchemy's mappers remember the dialects that they have
    compiled statements for, and with them whatever a listener refers to.
    """
    event.listen(engine, "do_connect", lambda *_arguments: file.require_in_place())


@contextmanager
def _log_transaction(event: str) -> Iterator[None]:
    began_ns = time.monotonic_ns()
    try:
        yield
    except BaseException:
        event = "failed transaction"
        raise
    finally:
        _log.debug(event, extra={"duration_ms": (time.monotonic_ns() - began_ns) // 1_000_000})


def sqlite_url(file: Path) -> URL:
    if not is_immutable(file):
        return URL.create("sqlite", database=str(file))
    as_it_is = {"immutable": "1", "uri": "true"}
    return URL.create("sqlite", database=file.absolute().as_uri(), query=as_it_is)


def server_url(address: str) -> URL:
    """The URL of a PostgreSQL database, with the driver that the `postgres` extra installs."""
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise RefusedError(
            f"'{_without_credentials(address)}' is no address of a database."
        ) from error
    if url.get_backend_name() != "postgresql":
        raise RefusedError(
            f"A shared study is stored in PostgreSQL, not in {url.get_backend_name()}: use an "
            "address like postgresql://user@host/database."
        )
    if url.password is not None:
        raise RefusedError(
            "Leave the password out of the address, so that no file of the study holds it: "
            "PostgreSQL finds it in ~/.pgpass or the variable PGPASSWORD."
        )
    return url.set(drivername="postgresql+psycopg")


def _watched_file(url: URL) -> OpenedFile | None:
    """Return the file to watch; one on a read-only drive can't change."""
    if not is_sqlite(url) or not url.database or url.query:
        return None
    return OpenedFile(Path(url.database))


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _without_credentials(address: str) -> str:
    """The address without what may be a password."""
    return address.rpartition("@")[2]


def _engine(url: URL, patience: int) -> Engine:
    if is_sqlite(url):
        engine = create_engine(url, connect_args={"timeout": patience})
        event.listen(
            engine, "connect", lambda made, _record: configure_connection(made, patience=patience)
        )
    else:
        engine = _server_engine(url, _server_options(patience))
    event.listen(engine, "begin", partial(_begin, patience=patience))
    return engine


def _server_engine(url: URL, options: dict[str, object]) -> Engine:
    try:
        # A connection that was cut while it was idle is replaced without anyone noticing.
        return create_engine(url, connect_args=options, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise EnvironmentFault(
            "A study on a PostgreSQL server needs a driver that isn't installed: labeler's "
            "extra “postgres” brings it.",
            by_command="`pip install labeler[postgres]` installs it.",
        ) from error


def _server_options(patience: int) -> dict[str, object]:
    """A server that fell silent is given up as soon as one that is busy."""
    return {
        "connect_timeout": min(patience, _CONNECT_TIMEOUT_SECONDS),
        "tcp_user_timeout": patience * 1000,
    }


def _begin(connection: Connection, *, patience: int) -> None:
    if connection.get_execution_options().get(_WRITE_OPTION):
        for statement in _begin_statements(connection.dialect.name, patience):
            connection.exec_driver_sql(statement)
    elif connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")


def _begin_statements(dialect: str, patience: int) -> tuple[str, ...]:
    """What a writer says first: it takes its turn at once, and so no rule is checked in vain.

    A reader that turns writer in SQLite could find its view outdated, and PostgreSQL would let
    two writers check the same rule at once.
    """
    if dialect == "sqlite":
        return ("BEGIN IMMEDIATE",)
    return (
        f"SET LOCAL lock_timeout = '{patience}s'",
        f"SELECT pg_advisory_xact_lock({_WRITER_LOCK_ID})",
    )


def _repeatable_read(connection: Connection) -> Connection:
    """PostgreSQL would show each statement of a transaction what others committed before it."""
    return connection.execution_options(isolation_level="REPEATABLE READ")


def _is_damage(error: BaseException | None) -> bool:
    # SQLite has no error class of its own for a broken file: it is the plain base class.
    return type(error) is sqlite3.DatabaseError


_WRITABLE = (
    "Make it writable for this account, or copy the study's folder to a place that is and open it "
    "there."
)
_UNOPENABLE = (
    "The study can't be opened: its drive or folder is read-only, and even to read a study that "
    f"isn't at rest, something is written next to its file. {_WRITABLE}"
)
_FAULT_MESSAGES = {
    "locked": BUSY,
    "readonly": f"The study can't be written: its file or folder is read-only. {_WRITABLE}",
    "disk is full": "The disk is full: the study wasn't changed. Free some space and try again.",
    "disk I/O": "The disk failed while the study was read or written. Check the drive.",
    "unable to open": "The study's file can't be opened. Check that the drive is there.",
    "malformed": f"The study's file is damaged. {RESTORE_ADVICE}",
    "not a database": f"The study's file is no database. {RESTORE_ADVICE}",
}
_COMMAND_HINTS = {
    "malformed": f"`labeler check STUDY` says more; {RESTORE_COMMAND}",
    "not a database": RESTORE_COMMAND,
}
assert set(_COMMAND_HINTS) <= set(_FAULT_MESSAGES)


def _server_address(url: URL) -> str:
    return url.set(drivername="postgresql", password=None).render_as_string()


def _disk_state(file: Path) -> str:
    """Return a part of the message that fits the drive, or an empty text."""
    if is_disk_full(file):
        return "disk is full"
    return "readonly" if is_drive_read_only(file) else ""


def _fault(message: str, patience: int) -> EnvironmentFault:
    for part, sentence in _FAULT_MESSAGES.items():
        if part in message:
            return EnvironmentFault(
                sentence.format(patience), by_command=_COMMAND_HINTS.get(part, "")
            )
    return EnvironmentFault(f"The study's database refused: {message.strip().splitlines()[0]}.")
