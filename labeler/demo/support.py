"""What the entry point passes to the window so that it can offer the demo."""

from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.app.study.demo_support import DemoSupport
from labeler.core.clock import Clock
from labeler.demo.identity import demo_sign_in_hint


def demo_support() -> DemoSupport:
    return DemoSupport(build=_build, sign_in_hint=demo_sign_in_hint)


def _build(folder: Path, *, clock: Clock, progress: ProgressReporter) -> None:
    # Imported here because the composer is needed only to build a demo.
    from labeler.demo.demo_study import build_demo

    build_demo(folder, clock=clock, progress=progress).close()
