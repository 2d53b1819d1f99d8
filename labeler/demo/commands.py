"""The demo from the command line."""

import sys
from pathlib import Path

import click

from labeler.commands.terminal import echo, path_param, progress_bars
from labeler.commands.window import show_window, why_no_window
from labeler.core.clock import SystemClock
from labeler.demo.demo_study import build_demo
from labeler.demo.finished_study import build_finished_demo
from labeler.demo.support import demo_support


@click.command()
@click.argument("folder", metavar="[DIR]", type=path_param, default="demo")
@click.option("--no-gui", is_flag=True, help="Build it and don't open the window.")
@click.option(
    "--finished",
    is_flag=True,
    help="Make a study that is over instead, with recorded models and simulated people.",
)
def demo(folder: Path, no_gui: bool, finished: bool) -> None:
    """Make a small complete study from photographs in DIR (./demo unless given), and open it.

    Two datasets, 97 classes with reference images, a training pool, two labelers, a reviewer and
    an evaluation sample. A demo that is there already is opened. With --finished its 194 pictures
    have been answered and reviewed, so that there is a report to look at.
    """
    with progress_bars() as progress:
        if finished:
            build_finished_demo(folder, progress=progress).close()
        else:
            build_demo(folder, clock=SystemClock(), progress=progress).close()
    echo(_ready_sentence(folder, finished=finished))
    obstacle = None if no_gui else why_no_window()
    if obstacle is not None:
        echo(f"{obstacle} To look at it where there is a display: {_program_name()} {folder}")
    elif not no_gui:
        show_window(folder, demo=demo_support())


def _ready_sentence(folder: Path, *, finished: bool) -> str:
    if finished:
        return (
            f"The finished demo is ready in {folder}: its people are simulated. Sign in as L, the "
            f"lead, or write its report: {_program_name()} report {folder} --out report"
        )
    return f"The demo study is ready in {folder}. Sign in as A or B, labelers, or as L, the lead."


def _program_name() -> str:
    """How this program was called, so that a person can call it again."""
    called = sys.argv[0]
    return called if Path(called).name == "labeler" else "labeler"
