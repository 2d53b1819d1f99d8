"""Commands that import and export files: the exchange format, and those of other programs."""

from collections.abc import Iterator
from pathlib import Path

import click

from labeler.app.exchange.export_formats import EXCHANGE_EXPORTS, ExportFormat
from labeler.app.exchange.file_export import (
    ExportPreview,
    export_study,
    preview_export,
)
from labeler.app.exchange.file_import import (
    FilesImported,
    FilesPreview,
    preview_file_import,
    run_file_import,
)
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.errors import RefusedError
from labeler.core.text import count_noun
from labeler.store.exchange.exporter import SPREADSHEET_NOTE
from labeler.store.exchange.preview import FilePreview
from labeler.store.exchange.summary import FileExport, FileImport

NOTHING_WOULD_BE_IMPORTED = "Nothing would be imported:"
NOTHING_WRITTEN = "Nothing was written."

folder_argument = click.argument("folder", metavar="DIR", type=path_param)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would be done, without doing it."
)


@click.command("import")
@study_argument
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=path_param)
@click.option(
    "--update",
    "updates",
    is_flag=True,
    help="Store an answer, verdict or flag that differs from the study's as its next revision, "
    "instead of refusing it.",
)
@dry_run_option
@json_option
def import_(
    *, study: Path, paths: tuple[Path, ...], updates: bool, dry_run: bool, as_json: bool
) -> None:
    """Import files into STUDY, completely or not at all.

    PATH is a folder in the exchange format (datasets.csv, participants.csv, predictions.csv and
    others), one of these files, or a file of another program: human_accuracy.pickle,
    human_accuracy_v3.0.0.json or real.json. Files are recognised by their contents. Rows that the
    study already has are skipped; a row that contradicts the study is an error.

    With --update, predictions, reviews, flags, error reviews and crowd answers may differ: such a
    row becomes the next revision, and the earlier ones are kept. Targets never change.
    """
    if dry_run:
        _preview(study, paths, updates=updates, as_json=as_json)
        return
    with opened_study(study) as store, progress_bars() as bars:
        imported = run_file_import(store, paths, bars, updates=updates)
    if as_json:
        print_json(_imported_json(imported))
        return
    for line in imported.sentences:
        echo(line)


def _preview(study: Path, paths: tuple[Path, ...], *, updates: bool, as_json: bool) -> None:
    with opened_study(study, writes=False) as store, progress_bars() as bars:
        previewed = preview_file_import(store, paths, bars, updates=updates)
    if as_json:
        print_json(_preview_json(previewed))
    else:
        for line in (previewed.kind, *previewed.about, *_preview_lines(previewed)):
            echo(line)
    faults = previewed.preview.faults
    if faults:
        raise RefusedError("\n".join([NOTHING_WOULD_BE_IMPORTED, *map(str, faults)]))


def _preview_lines(previewed: FilesPreview) -> Iterator[str]:
    for file in previewed.preview.files:
        would = file.would
        if would is None:
            yield f"{file.file}:"
        else:
            updated = f"{would.updated:,} to update, " if would.updated else ""
            new = would.added - would.updated
            counts = f"{new:,} new, {updated}{would.skipped:,} already in the study"
            yield f"{file.file}: {count_noun(would.read, 'row')}, {counts}."
        yield f"  {','.join(file.columns)}"
        for row in file.rows:
            yield f"  {','.join(map(_one_line, row))}"
    if not previewed.preview.faults:
        yield f"{count_noun(previewed.preview.added, 'row')} would be added. {NOTHING_WRITTEN}"


def _one_line(value: str) -> str:
    return value if value.isprintable() else repr(value)[1:-1]


def _imported_json(imported: FilesImported) -> dict[str, object]:
    return {
        "files": [_file_json(file) for file in imported.files],
        # Scripts may read it; there was something in it when unknown CSV files were ignored.
        "ignored": [],
        "notes": list(imported.notes),
    }


def _file_json(file: FileImport) -> dict[str, object]:
    return {
        "file": file.file,
        "read": file.read,
        "added": file.added,
        "skipped": file.skipped,
        "updated": file.updated,
    }


def _preview_json(previewed: FilesPreview) -> dict[str, object]:
    preview = previewed.preview
    return {
        "kind": previewed.kind,
        "files": [_preview_file_json(file) for file in preview.files],
        "datasets": [{"dataset": name, "images": images} for name, images in preview.datasets],
        "people": list(preview.people),
        "models": list(preview.models),
        "notes": list(previewed.notes),
        "faults": [
            {"file": str(f.file), "line": f.line, "column": f.column, "problem": f.problem}
            for f in preview.faults
        ],
    }


def _preview_file_json(file: FilePreview) -> dict[str, object]:
    rows = [dict(zip(file.columns, row, strict=True)) for row in file.rows]
    counts = {"file": file.file} if file.would is None else _file_json(file.would)
    return {**counts, "rows": rows}


@click.command()
@study_argument
@folder_argument
@click.option("--names", is_flag=True, help="Include people's names, in an additional column.")
@click.option("--history", is_flag=True, help="Include answers and verdicts that were changed.")
@click.option(
    "--for-spreadsheets",
    is_flag=True,
    help="Write texts so that a spreadsheet doesn't run them as formulas. The files can't be "
    "imported again.",
)
@click.option(
    "--pictures", is_flag=True, help="Include the pictures, in the format of Hugging Face."
)
@click.option(
    "--format",
    "wanted",
    type=click.Choice([each.value for each in ExportFormat]),
    default=ExportFormat.EXCHANGE.value,
    show_default=True,
    help="The exchange format as CSV or Parquet, with metadata or a script for other tools, a "
    "format of another program, or the report's tables as LaTeX.",
)
@dry_run_option
@json_option
def export(
    *,
    study: Path,
    folder: Path,
    names: bool,
    history: bool,
    for_spreadsheets: bool,
    pictures: bool,
    wanted: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Export STUDY to the folder DIR.

    The files contain the targets: don't give them to a labeler.
    """
    chosen = ExportFormat(wanted)
    for option, given, allowed in (
        ("names", names, EXCHANGE_EXPORTS),
        ("history", history, EXCHANGE_EXPORTS),
        ("for-spreadsheets", for_spreadsheets, {ExportFormat.EXCHANGE}),
        ("pictures", pictures, {ExportFormat.HUGGING_FACE}),
    ):
        if given and chosen not in allowed:
            formats = ", ".join(sorted(allowed))
            raise click.UsageError(f"--{option} can only be used with --format {formats}.")
    with opened_study(study, writes=False) as store, progress_bars() as bars:
        if dry_run:
            previewed = preview_export(store, folder, chosen, bars, history=history)
            _print_export(previewed, as_json=as_json)
            return
        summary = export_study(
            store,
            folder,
            chosen,
            names=names,
            history=history,
            for_spreadsheets=for_spreadsheets,
            pictures=pictures,
            progress=bars,
        )
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        echo(_written_line(file))
    if for_spreadsheets:
        echo(SPREADSHEET_NOTE.rstrip())


def _print_export(previewed: ExportPreview, *, as_json: bool) -> None:
    if as_json:
        files = [{"file": f.file, "rows": f.rows} for f in previewed.files]
        print_json(
            {"files": files, "replaced": list(previewed.replaced), "notes": list(previewed.omitted)}
        )
        return
    for line in (*map(_written_line, previewed.files), *previewed.omitted):
        echo(line)
    if previewed.replaced:
        echo(f"Existing files that would be replaced: {', '.join(previewed.replaced)}.")
    echo(NOTHING_WRITTEN)


def _written_line(file: FileExport) -> str:
    return f"{file.file}." if file.rows is None else f"{file.file}: {count_noun(file.rows, 'row')}."
