"""Commands for the exchange format: a study in and out as CSV files."""

from pathlib import Path

import click

from labeler.commands.terminal import (
    TerminalProgress,
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


class _FileProgress:
    """One bar a file, moved on by how far the work on it has come."""

    def __init__(self, bars: TerminalProgress) -> None:
        self._bars = bars
        self._file = ""
        self._done = 0

    def __call__(self, file: str, done: int, total: int) -> None:
        if file != self._file:
            self._bars.start(file, total)
            self._file, self._done = file, 0
        self._bars.advance(done - self._done)
        self._done = done


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
    with studying(study) as store, watching() as bars:
        summary = import_exchange(store, folder, progress=_FileProgress(bars))
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
    with studying(study, writes=False) as store, watching() as bars:
        summary = export_exchange(store, folder, names=names, progress=_FileProgress(bars))
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        say(f"{file.file}: {counted(file.rows, 'row')}.")
