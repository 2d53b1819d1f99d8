"""Opening a study's window."""

from pathlib import Path

import click

from labeler.app.study_overview import window_inputs
from labeler.commands.terminal import study_argument, studying
from labeler.core.errors import EnvironmentFault
from labeler.store.study import StudyStore


@click.command("open")
@study_argument
def open_window(study: Path) -> None:
    """Open the window of STUDY; `labeler STUDY` does the same."""
    with studying(study) as store:
        obstacle = why_no_window()
        if obstacle is not None:
            raise EnvironmentFault(obstacle)
        show(store)


def why_no_window() -> str | None:
    """Why no window can open here, in a sentence; None when one can."""
    from labeler import system_libraries

    if not system_libraries.has_display():
        return "There is no display here, so the window can't open."
    missing = system_libraries.missing()
    return system_libraries.sentence(missing) if missing else None


def show(store: StudyStore) -> None:
    """Show the window until it is closed; the exit code is the window's."""
    from labeler.ui.application import run

    code = run(window_inputs(store))
    if code:
        raise click.exceptions.Exit(1)
