"""The demo study, composed once for all benchmarks, and people who have read its rules."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from labeler.app.labeling.rules import ReadRulesRecord
from labeler.app.progress import NoProgress
from labeler.core.clock import SystemClock
from labeler.demo.demo_study import build_demo
from tests.e2e.driven_process import environment

CODE = "A"


@cache
def demo() -> Path:
    """The demo as it is made; its pictures stay here, anyone who copies it."""
    folder = tempfile.TemporaryDirectory(prefix="labeler-bench-")
    atexit.register(folder.cleanup)
    build_demo(Path(folder.name, "demo"), clock=SystemClock(), progress=NoProgress()).close()
    return Path(folder.name, "demo")


def demo_copy(place: Path) -> Path:
    """A demo of one's own to answer."""
    left_there = shutil.ignore_patterns("pictures")
    return Path(shutil.copytree(demo(), place / "study", ignore=left_there)).resolve()


def labelers_home(home: Path, study: Path) -> dict[str, str]:
    """The environment of a labeler who knows the rules of the study."""
    rules_read = home / "STATE" / "labeler" / "rules-read.json"
    ReadRulesRecord(rules_read).remember(study=str(study), code=CODE)
    return environment(home)
