"""The command line: its commands, and how errors are reported."""

import difflib
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from labeler import __version__
from labeler.app.incidents import record_incident
from labeler.app.logs import log_debug_records, log_file, log_to_file, set_blindness
from labeler.core.clock import SystemClock
from labeler.core.errors import LabelerError, as_environment_fault
from labeler.demo.support import demo_support

# Each command and its function; the module is imported when the command is run.
COMMANDS = {
    "open": "labeler.commands.window:open_window",
    "demo": "labeler.demo.commands:demo",
    "new": "labeler.commands.study:new",
    "join": "labeler.commands.joining:join",
    "use-pack": "labeler.commands.joining:use_pack",
    "add-dataset": "labeler.commands.datasets:add_dataset",
    "references": "labeler.commands.datasets:references",
    "relocate": "labeler.commands.datasets:relocate",
    "pool": "labeler.commands.sampling:pool",
    "sample": "labeler.commands.sampling:sample",
    "participants": "labeler.commands.participants:participants",
    "families": "labeler.commands.classes:families",
    "review-plan": "labeler.commands.review:review_plan",
    "resolve": "labeler.commands.review:resolve_command",
    "reviewers": "labeler.commands.review:reviewers_command",
    "crowd": "labeler.commands.crowd.group:crowd",
    "import-confusions": "labeler.commands.confusions:import_confusions_file",
    "import-factors": "labeler.commands.factors:import_factors_file",
    "settings": "labeler.commands.settings:settings",
    "phase": "labeler.commands.study:phase",
    "score": "labeler.commands.scoring:score",
    "models": "labeler.commands.models:models",
    "import-predictions": "labeler.commands.predictions:import_predictions",
    "real": "labeler.commands.predictions:real",
    "report": "labeler.commands.report:report",
    "import": "labeler.commands.exchange:import_",
    "export": "labeler.commands.exchange:export",
    "keys": "labeler.commands.sharing:keys",
    "pack": "labeler.commands.sharing:pack",
    "bundle": "labeler.commands.sharing:bundle",
    "update": "labeler.commands.sharing:update_command",
    "merge": "labeler.commands.sharing:merge",
    "backup": "labeler.commands.study:backup",
    "check": "labeler.commands.study:check",
    "guide": "labeler.commands.guide:guide",
    "classes": "labeler.commands.classes:classes",
    "taxonomy": "labeler.commands.classes:taxonomy",
    "log": "labeler.commands.window:log",
}

BUG = (
    "This is a bug in labeler: incident {number}. Everything that was committed is safe. Please "
    "report the bug and attach {file}."
)

_log = logging.getLogger(__name__)


class LazyGroup(click.Group):
    """The commands, imported when needed; a first argument that is no command is a study."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        location = COMMANDS.get(cmd_name)
        if location is None:
            return None
        module, _, attribute = location.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in COMMANDS:
            return super().resolve_command(ctx, args)
        _refuse_misspelled(args[0])
        return super().resolve_command(ctx, ["open", *args])


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="labeler")
@click.option(
    "--verbose", is_flag=True, help="Log debug messages to stderr and to the file of `labeler log`."
)
@click.pass_context
def commands(context: click.Context, verbose: bool) -> None:
    """Run a human-versus-machine image classification study.

    `labeler` opens the window, `labeler STUDY` opens a study in it. To try labeler, run `labeler
    demo`; to create your own study, run `labeler new`.
    """
    if verbose:
        log_debug_records()
    _log.info("started", extra={"version": __version__, "command": context.invoked_subcommand})
    if context.invoked_subcommand is None:
        _open_or_help(context)


def _open_or_help(context: click.Context) -> None:
    """Open the window on its start page, or print the help if no window can be opened."""
    from labeler.commands.window import show_window, why_no_window

    if why_no_window() is None:
        show_window(None, demo=context.obj)
    else:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0 for success, 1 for an error, 2 for wrong usage."""
    with log_to_file():
        # Only a lead uses commands; a window decides by who is signed in.
        set_blindness(lambda: False)
        return _run_reporting_errors(arguments)


def _run_reporting_errors(arguments: Sequence[str] | None) -> int:
    try:
        return _run(arguments)
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except LabelerError as error:
        return _print_error(error.typed)
    except (KeyboardInterrupt, click.Abort):
        return _print_error("Interrupted.")
    except Exception as error:
        fault = as_environment_fault(error, blind=False)
        return _print_error(_record_incident(error) if fault is None else fault.typed)


def _run(arguments: Sequence[str] | None) -> int:
    args = None if arguments is None else list(arguments)
    try:
        code = commands.main(
            args=args, prog_name="labeler", standalone_mode=False, obj=demo_support()
        )
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe, like `| head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _print_error(sentence: str) -> int:
    click.echo(f"labeler: {sentence}", err=True)
    return 1


def _record_incident(error: Exception) -> str:
    number = record_incident(error, at=SystemClock().utc(), blind=False)
    return BUG.format(number=number, file=log_file())


def _refuse_misspelled(word: str) -> None:
    """Refuse a word that is neither a command nor a folder: it was probably meant as a command."""
    if Path(word).exists() or os.sep in word or word.startswith("-"):
        return
    near = difflib.get_close_matches(word, COMMANDS, n=1)
    suggestion = f" Did you mean `labeler {near[0]}`?" if near else ""
    raise click.UsageError(f"'{word}' is neither a command nor the folder of a study.{suggestion}")


if __name__ == "__main__":
    sys.exit(main())
