"""Studies that are made once for all processes of a test run."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

_VARIABLE = "LABELER_TESTS_SHARED"
_PICTURES = "pictures"


def shared_folder() -> Path:
    """The folder that all processes of this run share; the first one makes and removes it."""
    if _VARIABLE not in os.environ:
        folder = tempfile.mkdtemp(prefix="labeler-tests-")
        os.environ[_VARIABLE] = folder  # inherited by the workers
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(os.environ[_VARIABLE])


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """This process's copy of a study that is made by the first process that asks.

    The study itself is never opened, so that others can copy it at any moment. Pictures are not
    copied: a link leads to them.
    """
    root = shared_folder()
    made, done, own = root / name, root / f"{name}.done", root / f"{name}-{os.getpid()}"
    with FileLock(root / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(made, ignore_errors=True)
            make(made)
            done.touch()
    if not own.exists():
        shutil.copytree(made, own, ignore=shutil.ignore_patterns(_PICTURES))
        if (made / _PICTURES).is_dir():
            (own / _PICTURES).symlink_to(made / _PICTURES)
    return own
