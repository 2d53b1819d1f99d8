"""What commands share: options, opening a study, JSON."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import click

from labeler.app.study.studies import open_for_work
from labeler.core.clock import SystemClock
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore

# Click doesn't check it: an unreadable path is an error (status 1), not wrong usage (status 2).
path_param = click.Path(path_type=Path, readable=False)


# A script of many commands needs no backup before each of them.
_BACKUP_INTERVAL = timedelta(minutes=10)

study_argument = click.argument("study", type=path_param)
seed_option = click.option("--seed", type=int, help="The random seed.  [default: the study's seed]")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for use in scripts."
)


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
