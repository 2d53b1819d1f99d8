"""Commands for the program itself: open its window, find its log."""

from pathlib import Path

import click

from labeler.app.logs import log_file
from labeler.app.study.demo_support import DemoSupport
from labeler.commands.terminal import echo, json_option, path_param, print_json
from labeler.core.errors import EnvironmentFault
from labeler.store.sharing.bundle_file import is_bundle_file, read_header
from labeler.store.study.folder import StudyFolder
from labeler.system_libraries import has_display, missing, sentence

NO_DISPLAY = "The window can't be opened because there is no display."


@click.command("open")
@click.argument("study", type=path_param)
@click.option(
    "--as",
    "code",
    metavar="CODE",
    help="Sign in with this code. A labeler continues with the evaluation.",
)
@click.pass_obj
def open_window(demo: DemoSupport, study: Path, code: str | None) -> None:
    """Open STUDY, a folder or a bundle, in the window. `labeler STUDY` does the same."""
    if is_bundle_file(study):
        read_header(study)
    else:
        StudyFolder(study).require()
    reason = why_no_window()
    if reason is not None:
        raise EnvironmentFault(reason)
    show_window(study, code=code, demo=demo)


def why_no_window() -> str | None:
    """Return why no window can be opened, or None if one can."""
    if not has_display():
        return NO_DISPLAY
    libraries = missing()
    return sentence(libraries) if libraries else None


def show_window(study: Path | None, *, demo: DemoSupport, code: str | None = None) -> None:
    """Show the window until it is closed; exit with 1 if it reports an error."""
    # Qt may lack system libraries: `why_no_window` has to be asked before it is imported.
    from labeler.ui.window.application import run
    from labeler.ui.window.navigation import LaunchRequest

    if run(LaunchRequest(study=study, code=code), demo=demo):
        raise click.exceptions.Exit(1)


@click.command()
@json_option
def log(as_json: bool) -> None:
    """Print where the log file is.

    It holds errors with their incident numbers; with `labeler --verbose`, also database
    transactions, background jobs and scoring steps with their durations.
    """
    if as_json:
        print_json({"file": str(log_file())})
    else:
        echo(str(log_file()))
