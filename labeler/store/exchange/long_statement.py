"""A statement that takes seconds, in which somebody can still change their mind."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

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
