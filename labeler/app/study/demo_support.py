"""The demo as the window uses it; the entry point passes it in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import platformdirs

from labeler.app.progress import ProgressReporter
from labeler.core.clock import Clock


class BuildDemo(Protocol):
    """Builds the demo in a folder, or finishes an interrupted build."""

    def __call__(self, folder: Path, *, clock: Clock, progress: ProgressReporter) -> None: ...


@dataclass(frozen=True, slots=True)
class SignInHint:
    """A hint on the sign-in page of a study with invented people, and the proposed code."""

    text: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class DemoSupport:
    """What the window needs of the demo, without importing the modules that build it."""

    build: BuildDemo
    sign_in_hint: Callable[[str, int], SignInHint]  # by a study's name and seed


def demo_folder() -> Path:
    """Return the folder of the demo that the window opens."""
    return Path(platformdirs.user_data_dir("labeler", appauthor=False)) / "demo"
