"""Studies that are made once for all processes of a test run."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

_VARIABLE = "LABELER_TESTS_SHARED"


def shared_folder() -> Path:
    """The folder that all processes of this run share; the first one makes and removes it."""
    if _VARIABLE not in os.environ:
        folder = tempfile.mkdtemp(prefix="labeler-tests-")
        os.environ[_VARIABLE] = folder  # inherited by the workers
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(os.environ[_VARIABLE])


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, made by the first process that asks; the others wait for it.

    Tests must not change it: they copy the study, its pictures stay here.
    """
    root = shared_folder()
    folder, done = root / name, root / f"{name}.done"
    with FileLock(root / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            done.touch()
    return folder
