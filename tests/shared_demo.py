"""The demo, built once for all tests."""

from pathlib import Path

from labeler.app.progress import NoProgress
from labeler.core.clock import SystemClock
from labeler.demo.demo_study import build_demo
from tests.shared_copy import shared_copy


def shared_demo() -> Path:
    """The demo's folder; tests that change the study copy it, its pictures stay here."""
    return shared_copy("demo", _build)


def _build(folder: Path) -> None:
    build_demo(folder, clock=SystemClock(), progress=NoProgress()).close()
