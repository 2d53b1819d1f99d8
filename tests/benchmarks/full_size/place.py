"""Where the full-size study is: made by steps, each of which a benchmark measures."""

import atexit
import tempfile
from functools import cache
from pathlib import Path

from labeler.app.study.studies import new_study
from labeler.core.clock import SystemClock

SEED = 1


@cache
def place() -> Path:
    """A folder for the study and what it is made from, removed at the end."""
    folder = tempfile.TemporaryDirectory(prefix="labeler-full-size-")
    atexit.register(folder.cleanup)
    return Path(folder.name).resolve()


@cache
def study() -> Path:
    """The study, empty at first."""
    return empty_study("study")


@cache
def aside() -> Path:
    """A study for half of everything, to see how times grow."""
    return empty_study("aside")


def empty_study(name: str) -> Path:
    """A new study next to the others."""
    folder = place() / name
    new_study(folder, clock=SystemClock(), name="full size", seed=SEED).close()
    return folder
