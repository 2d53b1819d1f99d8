"""How long work reports its progress and checks whether to stop."""

from collections.abc import Callable
from typing import Protocol


class ProgressReporter(Protocol):
    """Receives the progress of long work, for a terminal or a window."""

    def start(self, what: str, total: int | None) -> None:
        """Begin a stage of the work; `total` is None if its length isn't known."""
        ...

    def advance(self, steps: int = 1) -> None: ...


class NoProgress:
    """Ignores all progress."""

    def start(self, what: str, total: int | None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:
        pass


CancelCheck = Callable[[], bool]


def never_cancelled() -> bool:
    """Never cancel."""
    return False


def step_reporter(progress: ProgressReporter, words: str = "{}") -> Callable[[str, int, int], None]:
    """Return a callback that takes a file's name, the steps done and the total."""
    file, reported = "", 0

    def report(name: str, done: int, total: int) -> None:
        nonlocal file, reported
        if name != file:
            progress.start(words.format(name), total)
            file, reported = name, 0
        progress.advance(done - reported)
        reported = done

    return report
