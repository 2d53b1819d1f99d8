"""What unit tests of several layers share."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.unit.store.throwaway_server import Server, program


@pytest.fixture
def run() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts Python programs of their own; those that still run at the end are ended."""
    started: list[subprocess.Popen[str]] = []

    def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server for all tests of this process; each has databases of its own."""
    if program("initdb") is None or program("pg_ctl") is None:
        pytest.skip("PostgreSQL's initdb and pg_ctl aren't installed")
    pytest.importorskip("psycopg", reason="the extra `postgres` isn't installed")
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        server.start()
        try:
            yield server
        finally:
            server.stop()
