"""Commands for the exchange format: a study in and out as CSV files."""

from pathlib import Path

import click

from labeler.commands.terminal import (
    counted,
    json_option,
    print_json,
    say,
    study_argument,
    studying,
    watching,
)
from labeler.store.exchange.exporting import export_exchange
from labeler.store.exchange.importing import import_exchange

folder_argument = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
