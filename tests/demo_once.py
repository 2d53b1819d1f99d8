"""The demo, made once for all tests of a process that want it."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.core.clock import SystemClock
from labeler.demo.demo_study import build_demo


@cache
def demo_once() -> Path:
    """The demo's folder; who wants to change the study copies it, its pictures stay here."""
    place = Path(tempfile.mkdtemp(prefix="labeler-demo-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    build_demo(place / "demo", clock=SystemClock(), progress=NoProgress()).close()
    return place / "demo"
