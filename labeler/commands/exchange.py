"""Commands for a study in and out as files: the exchange format, and other people's."""

from pathlib import Path

import click

from labeler.app.foreign_export import ExportFormat, export_foreign
from labeler.app.foreign_import import import_foreign
from labeler.commands.terminal import (
    TerminalProgress,
    json_option,
    print_json,
    say,
    study_argument,
    studying,
    watching,
)
from labeler.core.naming import counted
from labeler.store.exchange.exporting import export_exchange
from labeler.store.exchange.importing import import_exchange
from labeler.store.exchange.summary import FileImport


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
@click.argument("source", metavar="PATH", type=click.Path(path_type=Path))
@json_option
def import_(study: Path, source: Path, as_json: bool) -> None:
    """Import PATH into STUDY: all of it, or nothing.

    PATH is a folder of the exchange format, which holds any of datasets.csv, participants.csv,
    predictions.csv, reviews.csv and multilabels.csv; or a file of somebody else's:
    human_accuracy.pickle, human_accuracy_v3.0.0.json or real.json, recognised by what is in it.
    Rows that the study has already are skipped; one that differs is an error.
    """
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    with studying(study) as store, watching() as bars:
        if source.is_file():
            foreign = import_foreign(store, source, progress=_FileProgress(bars))
            files, notes = foreign.files, foreign.notes
        else:
            summary = import_exchange(store, source, progress=_FileProgress(bars))
            files, ignored = summary.files, summary.ignored
    if as_json:
        rows = [_imported(file) for file in files]
        print_json({"files": rows, "ignored": list(ignored), "notes": list(notes)})
        return
    for line in (*notes, *map(_sentence, files)):
        say(line)
    if ignored:
        say(f"Not of this format, and ignored: {', '.join(ignored)}.")


def _imported(file: FileImport) -> dict[str, object]:
    return {"file": file.file, "read": file.read, "added": file.added, "skipped": file.skipped}


def _sentence(file: FileImport) -> str:
    known = f", {file.skipped:,} were there" if file.skipped else ""
    return f"{file.file}: {counted(file.added, 'row')} added{known}."


@click.command()
@study_argument
@folder_argument
@click.option("--names", is_flag=True, help="Write people's names too, in a column of their own.")
@click.option(
    "--format",
    "wanted",
    type=click.Choice(["exchange", *(each.value for each in ExportFormat)]),
    default="exchange",
    show_default=True,
    help="The exchange format, or what another program reads.",
)
@json_option
def export(study: Path, folder: Path, names: bool, wanted: str, as_json: bool) -> None:
    """Export STUDY to DIR in the exchange format, or in somebody else's.

    Whoever reads these files reads the targets: don't give them to a labeler.
    """
    if names and wanted != "exchange":
        raise click.UsageError("--names goes with the exchange format only.")
    with studying(study, writes=False) as store, watching() as bars:
        if wanted == "exchange":
            summary = export_exchange(store, folder, names=names, progress=_FileProgress(bars))
        else:
            summary = export_foreign(store, folder, ExportFormat(wanted))
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        say(f"{file.file}: {counted(file.rows, 'row')}.")
