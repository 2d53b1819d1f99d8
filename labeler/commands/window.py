"""The command that opens the window."""

from pathlib import Path

import click

from labeler.app.study.demo_support import DemoSupport
from labeler.commands.terminal import path_param
from labeler.core.errors import EnvironmentFault
from labeler.store.study.folder import StudyFolder
from labeler.system_libraries import has_display, missing, sentence

NO_DISPLAY = "The window can't open because there is no display."


@click.command("open")
@click.argument("study", type=path_param)
@click.option(
    "--as",
    "code",
    metavar="CODE",
    help="Sign in with this code; a labeler continues the evaluation.",
)
@click.pass_obj
def open_window(demo: DemoSupport, study: Path, code: str | None) -> None:
    """Open the window of STUDY; `labeler STUDY` does the same."""
    StudyFolder(study).require()
    obstacle = why_no_window()
    if obstacle is not None:
        raise EnvironmentFault(obstacle)
    show_window(study, code=code, demo=demo)


def why_no_window() -> str | None:
    """Return a sentence that says why no window can open, or None."""
    if not has_display():
        return NO_DISPLAY
    libraries = missing()
    return sentence(libraries) if libraries else None


def show_window(study: Path | None, *, demo: DemoSupport, code: str | None = None) -> None:
    """Show the window until it is closed."""
    # Qt may lack system libraries: `why_no_window` has to be asked before it is imported.
    from labeler.ui.window.application import run
    from labeler.ui.window.navigation import LaunchRequest

    if run(LaunchRequest(study=study, code=code), demo=demo):
        raise click.exceptions.Exit(1)
