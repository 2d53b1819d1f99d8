"""What commands share: options, progress bars, opening a study, JSON."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from labeler.app.study.studies import open_for_work
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

# Click doesn't check it: an unreadable path is an error (status 1), not wrong usage (status 2).
path_param = click.Path(path_type=Path, readable=False)


# The monitor is a thread that would outlive the progress bar.
tqdm.monitor_interval = 0

# A script of many commands needs no backup before each of them.
_BACKUP_INTERVAL = timedelta(minutes=10)

study_argument = click.argument("study", type=path_param)
seed_option = click.option("--seed", type=int, help="The random seed.  [default: the study's seed]")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for use in scripts."
)


class TerminalProgress:
    """Progress bars with rate and remaining time, on a terminal only."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def start(self, what: str, total: int | None, *, done: int = 0) -> None:
        """Show a bar; `done` steps of an earlier run don't count towards the rate."""
        self.close()
        self._bar = tqdm(
            total=total,
            initial=done,
            desc=what,
            unit=" images" if "images" in what.lower() else "",
            unit_scale=True,
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
            leave=False,
            dynamic_ncols=True,
        )

    def advance(self, steps: int = 1) -> None:
        if self._bar is not None:
            self._bar.update(steps)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextmanager
def progress_bars() -> Iterator[TerminalProgress]:
    """Provide progress bars, and remove them when the work ends or fails."""
    progress = TerminalProgress()
    try:
        yield progress
    finally:
        progress.close()


@contextmanager
def opened_study(path: Path, *, writes: bool = True) -> Iterator[StudyStore]:
    """Open the study; before a command changes it, back it up."""
    clock = SystemClock()
    store = (
        open_for_work(path, clock=clock, backups_apart=_BACKUP_INTERVAL)
        if writes
        else open_study(path, clock=clock)
    )
    with store:
        yield store


def echo(sentence: str) -> None:
    click.echo(sentence)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
