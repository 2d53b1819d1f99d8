"""How long work tells how far it is, and asks whether to stop."""

from collections.abc import Callable
from typing import Protocol


class ProgressReporter(Protocol):
    """Someone who watches long work: a terminal's bar, a window's dialog, or no one."""

    def start(self, what: str, total: int | None) -> None:
        """A stretch of work begins; `total` is None when its length isn't known."""
        ...

    def advance(self, steps: int = 1) -> None: ...


class NoProgress:
    """No one watches."""

    def start(self, what: str, total: int | None) -> None:
        pass

    def advance(self, steps: int = 1) -> None:
        pass


CancelCheck = Callable[[], bool]


def never_cancelled() -> bool:
    """The answer of someone who doesn't cancel."""
    return False


def step_reporter(progress: ProgressReporter, words: str = "{}") -> Callable[[str, int, int], None]:
    """A listener for a file's name, how far the work on it is, and how far it goes."""
    file, reported = "", 0

    def report(name: str, done: int, total: int) -> None:
        nonlocal file, reported
        if name != file:
            progress.start(words.format(name), total)
            file, reported = name, 0
        progress.advance(done - reported)
        reported = done

    return report
