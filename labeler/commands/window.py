"""Opening a study's window."""

from pathlib import Path

import click

from labeler.app.backups import AutomaticBackups
from labeler.app.study_overview import window_inputs
from labeler.commands.terminal import study_argument, studying
from labeler.core.errors import EnvironmentFault
from labeler.store.study import StudyStore
from labeler.system_libraries import has_display, missing, sentence


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
    if not has_display():
        return "There is no display here, so the window can't open."
    lacking = missing()
    return sentence(lacking) if lacking else None


def show(store: StudyStore) -> None:
    """Show the window until it is closed; the exit code is the window's."""
    from labeler.ui.application import run

    backups = AutomaticBackups(store, store.clock)
    code = run(window_inputs(store), each_minute=backups.tick)
    if code:
        raise click.exceptions.Exit(1)
