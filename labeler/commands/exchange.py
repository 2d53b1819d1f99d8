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
)
from labeler.store.exchange.exporting import export_exchange
from labeler.store.exchange.importing import import_exchange

folder_argument = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@click.command("import")
@study_argument
@folder_argument
@json_option
def import_(study: Path, folder: Path, as_json: bool) -> None:
    """Import the exchange files in DIR into STUDY: all of them, or nothing.

    DIR holds any of datasets.csv, participants.csv, predictions.csv, reviews.csv and
    multilabels.csv. Rows that the study has already are skipped; one that differs is an error.
    """
    with studying(study) as store:
        summary = import_exchange(store, folder)
    rows = [
        {"file": f.file, "read": f.read, "added": f.added, "skipped": f.skipped}
        for f in summary.files
    ]
    if as_json:
        print_json({"files": rows, "ignored": list(summary.ignored)})
        return
    for file in summary.files:
        known = f", {file.skipped:,} were there" if file.skipped else ""
        say(f"{file.file}: {counted(file.added, 'row')} added{known}.")
    if summary.ignored:
        say(f"Not of this format, and ignored: {', '.join(summary.ignored)}.")


@click.command()
@study_argument
@folder_argument
@click.option("--names", is_flag=True, help="Write people's names too, in a column of their own.")
@json_option
def export(study: Path, folder: Path, names: bool, as_json: bool) -> None:
    """Export STUDY to DIR in the exchange format.

    Whoever reads these files reads the targets: don't give them to a labeler.
    """
    with studying(study, writes=False) as store:
        summary = export_exchange(store, folder, names=names)
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        say(f"{file.file}: {counted(file.rows, 'row')}.")
