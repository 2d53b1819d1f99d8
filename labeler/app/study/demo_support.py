"""What the window offers of the demo; the entry point passes it in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import platformdirs

from labeler.app.progress import ProgressReporter
from labeler.core.clock import Clock


class BuildDemo(Protocol):
    """Build the demo in a folder, or finish one that was interrupted."""

    def __call__(self, folder: Path, *, clock: Clock, progress: ProgressReporter) -> None: ...


@dataclass(frozen=True, slots=True)
class SignInHint:
    """What the sign-in page says of a study whose people are invented, and the code it proposes."""

    text: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class DemoSupport:
    """The demo as the window needs it, without importing what builds it."""

    build: BuildDemo
    sign_in_hint: Callable[[str, int], SignInHint]  # by a study's name and seed


def demo_folder() -> Path:
    """Where the window puts the demo."""
    return Path(platformdirs.user_data_dir("labeler", appauthor=False)) / "demo"
