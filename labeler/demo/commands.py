"""The command that creates the demo."""

import sys
from pathlib import Path

import click

from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import echo, path_param
from labeler.commands.window import show_window, why_no_window
from labeler.core.clock import SystemClock
from labeler.demo.curation_pool import add_curation_pool
from labeler.demo.demo_study import build_demo
from labeler.demo.finished_study import build_finished_demo
from labeler.demo.support import demo_support

DEMO_READY = "The demo study is ready in {folder}. Sign in as A or B (labelers) or as L (lead)."

CURATION_READY = (
    "The demo study with a candidate pool is ready in {folder}. Sign in as L (lead) and choose "
    "Build a dataset."
)


@click.command()
@click.argument("folder", metavar="[DIR]", type=path_param, default="demo")
@click.option("--no-gui", is_flag=True, help="Create the demo without opening the window.")
@click.option(
    "--finished",
    is_flag=True,
    help="Create a finished study, with recorded predictions of models and simulated people.",
)
@click.option(
    "--curation",
    is_flag=True,
    help="Add a candidate pool of 20 classes that annotators have judged, to build a dataset from.",
)
def demo(folder: Path, no_gui: bool, finished: bool, curation: bool) -> None:
    """Create a demo study in the folder DIR, and open it.

    DIR is ./demo by default. The study has two datasets, 97 classes with reference images, a
    training pool, two labelers, a reviewer and an evaluation sample. An existing demo is opened.
    With --finished, the 194 images are already answered and reviewed, so that you can look at a
    report.
    """
    if finished and curation:
        raise click.UsageError("Choose either --finished or --curation.")
    with progress_bars() as progress:
        if finished:
            build_finished_demo(folder, progress=progress).close()
        else:
            with build_demo(folder, clock=SystemClock(), progress=progress) as store:
                if curation:
                    add_curation_pool(store, progress)
    echo(CURATION_READY.format(folder=folder) if curation else _ready(folder, finished=finished))
    reason = None if no_gui else why_no_window()
    if reason is not None:
        echo(f"{reason} To open the demo on a computer with a display: {_program_name()} {folder}")
    elif not no_gui:
        show_window(folder, demo=demo_support())


def _ready(folder: Path, *, finished: bool) -> str:
    if finished:
        return (
            f"The finished demo, with simulated people, is ready in {folder}. Sign in as L (lead), "
            f"or write its report: {_program_name()} report {folder} --out report"
        )
    return DEMO_READY.format(folder=folder)


def _program_name() -> str:
    """Return the command that started this program, to show it in a message."""
    command = sys.argv[0]
    return command if Path(command).name == "labeler" else "labeler"
