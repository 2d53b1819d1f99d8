"""Files and bytes of them, told as stages and steps to whoever watches."""

from collections.abc import Callable

from labeler.app.progress import ProgressReporter


def step_reporter(progress: ProgressReporter, words: str = "{}") -> Callable[[str, int, int], None]:
    """A listener for a file's name, how far the work on it is, and how far it goes."""
    file, told = "", 0

    def tell(name: str, done: int, total: int) -> None:
        nonlocal file, told
        if name != file:
            progress.start(words.format(name), total)
            file, told = name, 0
        progress.advance(done - told)
        told = done

    return tell
