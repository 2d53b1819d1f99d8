"""The demo, made once for all tests that want it."""

from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.core.clock import SystemClock
from labeler.demo.demo_study import build_demo
from tests.made_once import made_once


def demo_once() -> Path:
    """The demo's folder; tests that change the study copy it, its pictures stay here."""
    return made_once("demo", _build)


def _build(folder: Path) -> None:
    build_demo(folder, clock=SystemClock(), progress=NoProgress()).close()
