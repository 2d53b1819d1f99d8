"""A PostgreSQL server of the tests' own."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

_PLACES = (None, *(str(place) for place in sorted(Path("/usr/lib/postgresql").glob("*/bin"))))


def program(name: str) -> str | None:
    return next((found for place in _PLACES if (found := shutil.which(name, path=place))), None)


class Server:
    """A throw-away server; its programs refuse to run as root, so no one runs it then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user is not None:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._port = _free_port()
        self._databases = 0

    def start(self) -> None:
        self._run("initdb", "--auth=trust", "--username=lead", "--no-sync", "--pgdata=data")
        self.resume()

    def resume(self) -> None:
        """Start the server again after `stop`, at the same address."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c fsync=off -k {self._folder}"
        self._run("pg_ctl", "start", "-w", "-D", "data", "-l", "log", "-o", options)

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", "data")

    def new_database(self) -> str:
        import psycopg

        self._databases += 1
        name = f"study_{self._databases}"
        address = f"postgresql://lead@127.0.0.1:{self._port}"
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{address}/{name}"

    def restore(self, dump: Path, address: str) -> None:
        """Restore a dump into an empty database."""
        # The server's user can't enter the folders of a test.
        copy = Path(shutil.copy(dump, self._folder))
        copy.chmod(0o644)
        self._run("pg_restore", "--exit-on-error", f"--dbname={address}", str(copy))

    def _run(self, name: str, *arguments: str) -> None:
        command: Sequence[str] = [program(name) or name, *arguments]
        # The server would keep an inherited pipe open and the caller waiting.
        with (self._folder / f"{name}.out").open("w") as output:
            subprocess.run(
                command, cwd=self._folder, user=self._user, stdout=output, stderr=output, check=True
            )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
