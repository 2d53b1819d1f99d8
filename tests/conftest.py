"""What every test gets: no screen, no traces in the user's folders, no threads left behind."""

import gc
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings

import labeler.locations
from labeler.app.logs import log_debug_records, log_file, log_to_file
from tests.guides import SMALL_GUIDE
from tests.shared_copy import shared_folder
from tests.unit.store.throwaway_server import Server, program

# Before any module imports it: a study in a test gets few pages, which don't change.
labeler.locations.GUIDE = SMALL_GUIDE

# A busy machine is no reason to fail: no test of behaviour looks at the clock.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
os.environ["QT_QPA_PLATFORM"] = "offscreen"


def pytest_configure() -> None:
    """Decide where shared studies are made, before the workers start."""
    shared_folder()


def pytest_collection_finish() -> None:
    """Have Python look for garbage seldom, and pass the modules over.

    All that thousands of tests import stays until they end; to look through it again and again
    would take a sixth of their time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, data and caches go to a folder of the test's own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    return home


@pytest.fixture
def debug_log(own_folders: Path) -> Iterator[Path]:
    """The test's own log file, with debug records; nobody is signed in, so it is blind."""
    with log_to_file():
        log_debug_records()
        yield log_file()


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """A thread that outlives its test fails it."""
    before = set(threading.enumerate())
    yield
    # A thread that Python only heard of by chance has no join; its owner is asked elsewhere.
    left = [t for t in threading.enumerate() if t not in before and _was_started_by_python(t)]
    assert not left, f"threads left running: {left}"


def _was_started_by_python(thread: threading.Thread) -> bool:
    return not isinstance(thread, threading._DummyThread)


@pytest.fixture(autouse=True, scope="session")
def quick_passphrases() -> Iterator[None]:
    """A passphrase takes a millisecond to try, and not a fifth of a second."""
    with mock.patch("labeler.store.sharing.sealing.SCRYPT_COST", 2**9):
        yield


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
