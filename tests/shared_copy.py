"""Studies that are built once and shared by all processes of a test run."""

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
    """Return the folder that all processes of this run share; the first one creates it."""
    if _VARIABLE not in os.environ:
        folder = tempfile.mkdtemp(prefix="labeler-tests-")
        os.environ[_VARIABLE] = folder  # inherited by the workers
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(os.environ[_VARIABLE])


def shared_copy(name: str, make: Callable[[Path], object]) -> Path:
    """Return a copy of a study that the first process builds.

    The original is never opened, so that others can copy it at any time. Pictures are not
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
