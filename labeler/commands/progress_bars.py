"""Progress bars on the terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

# The monitor is a thread that would outlive the progress bar.
tqdm.monitor_interval = 0


class TerminalProgress:
    """Progress bars with rate and remaining time, on a terminal only."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def start(self, what: str, total: int | None, *, done: int = 0) -> None:
        """Show a bar; `done` steps of an earlier run don't count towards the rate."""
        self.close()
        self._bar = tqdm(
            total=total,
            initial=done,
            desc=what,
            unit=" images" if "images" in what.lower() else "",
            unit_scale=True,
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
            leave=False,
            dynamic_ncols=True,
        )

    def advance(self, steps: int = 1) -> None:
        if self._bar is not None:
            self._bar.update(steps)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextmanager
def progress_bars() -> Iterator[TerminalProgress]:
    """Provide progress bars, and remove them when the work ends or fails."""
    progress = TerminalProgress()
    try:
        yield progress
    finally:
        progress.close()
