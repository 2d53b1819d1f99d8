"""Runs a driver with one guard of durability taken out, to see that power cuts are noticed.

python -m tests.power.mutants MUTANT MODULE ARGUMENTS…
"""

import os
import runpy
import stat
import sys
from collections.abc import Callable
from enum import StrEnum

from labeler.store.engine import database
from labeler.store.engine.sqlite_file import configure_connection


class Mutant(StrEnum):
    """What is taken out."""

    NONE = "none"
    SYNCHRONOUS_NORMAL = "synchronous-normal"  # a commit isn't synced
    NO_FILE_SYNC = "no-file-sync"  # an appended journal line isn't synced
    NO_FOLDER_SYNC = "no-folder-sync"  # the name of a new journal isn't synced


def _synchronous_normal() -> None:
    def configured_less(connection: object, *, patience: int) -> None:
        configure_connection(connection, patience=patience)  # type: ignore[arg-type]
        connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]

    database.configure_connection = configured_less


def _sync_only(wanted: Callable[[int], bool]) -> None:
    real = os.fsync
    os.fsync = lambda descriptor: real(descriptor) if wanted(descriptor) else None  # type: ignore[assignment,return-value]


def _is_folder(descriptor: int) -> bool:
    return stat.S_ISDIR(os.fstat(descriptor).st_mode)


_APPLY: dict[Mutant, Callable[[], None]] = {
    Mutant.NONE: lambda: None,
    Mutant.SYNCHRONOUS_NORMAL: _synchronous_normal,
    Mutant.NO_FILE_SYNC: lambda: _sync_only(_is_folder),
    Mutant.NO_FOLDER_SYNC: lambda: _sync_only(lambda descriptor: not _is_folder(descriptor)),
}
assert set(_APPLY) == set(Mutant)

if __name__ == "__main__":
    mutant, module, *arguments = sys.argv[1:]
    _APPLY[Mutant(mutant)]()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__")
