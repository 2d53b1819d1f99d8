"""Opening the window."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from labeler.core.errors import EnvironmentFault
from labeler.system_libraries import has_display, missing, sentence

# How many objects more than before have Python look for those that nobody needs any more.
_MANY_OBJECTS = 50_000


@click.command("open")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--as", "code", metavar="CODE", help="Sign in as this labeler and go on with the evaluation."
)
def open_window(study: Path, code: str | None) -> None:
    """Open the window of STUDY; `labeler STUDY` does the same."""
    # Whether there is a study at all is known without the database's modules.
    from labeler.store.folder import StudyFolder

    StudyFolder(study).require()
    obstacle = why_no_window()
    if obstacle is not None:
        raise EnvironmentFault(obstacle)
    show(study, code=code)


def why_no_window() -> str | None:
    """Why no window can open here, in a sentence; None when one can."""
    if not has_display():
        return "There is no display here, so the window can't open."
    lacking = missing()
    return sentence(lacking) if lacking else None


def show(study: Path | None, *, code: str | None = None) -> None:
    """Show the window until it is closed; the exit code is the window's."""
    with _seldom_collecting():
        from labeler.ui.application import run
        from labeler.ui.shell import Wish

        if run(Wish(study=study, code=code)):
            raise click.exceptions.Exit(1)


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Let a start make its many objects, nearly all of which stay, without a look at each 700."""
    before = gc.get_threshold()
    gc.set_threshold(_MANY_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
