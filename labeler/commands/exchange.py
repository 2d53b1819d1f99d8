"""Commands for a study in and out as files: the exchange format, and other people's."""

from collections.abc import Iterator
from pathlib import Path

import click

from labeler.app.exchange.file_export import ExportFormat, ExportSeen, export_as, see_export
from labeler.app.exchange.file_import import FilesImported, FilesSeen, import_given, see_files
from labeler.commands.given_path import given_path
from labeler.commands.terminal import (
    json_option,
    print_json,
    say,
    study_argument,
    studying,
    watching,
)
from labeler.core.errors import Refused
from labeler.core.text import counted
from labeler.store.exchange.preview import FileSeen
from labeler.store.exchange.summary import FileExport, FileImport

folder_argument = click.argument("folder", metavar="DIR", type=given_path)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Tell what would be done, and do nothing."
)


@click.command("import")
@study_argument
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=given_path)
@dry_run_option
@json_option
def import_(study: Path, paths: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Import PATH into STUDY: all of it, or nothing.

    PATH is a folder of the exchange format, which holds any of datasets.csv, participants.csv,
    predictions.csv, reviews.csv and multilabels.csv, or some of these files alone; or a file of
    somebody else's: human_accuracy.pickle, human_accuracy_v3.0.0.json or real.json. Files are
    recognised by what is in them. Rows that the study has already are skipped; one that differs
    is an error.
    """
    if dry_run:
        _preview(study, paths, as_json=as_json)
        return
    with studying(study) as store, watching() as bars:
        imported = import_given(store, paths, bars)
    if as_json:
        print_json(_imported_json(imported))
        return
    for line in imported.sentences:
        say(line)


def _preview(study: Path, paths: tuple[Path, ...], *, as_json: bool) -> None:
    with studying(study, writes=False) as store, watching() as bars:
        seen = see_files(store, paths, bars)
    if as_json:
        print_json(_seen_json(seen))
    else:
        for line in (seen.kind, *seen.about, *_seen_lines(seen)):
            say(line)
    faults = seen.preview.faults
    if faults:
        raise Refused("\n".join(["Nothing would be imported:", *map(str, faults)]))


def _seen_lines(seen: FilesSeen) -> Iterator[str]:
    for file in seen.preview.files:
        would = file.would
        if would is None:
            yield f"{file.file}:"
        else:
            there = f"{would.added:,} new, {would.skipped:,} there already"
            yield f"{file.file}: {counted(would.read, 'row')}, {there}."
        yield f"  {','.join(file.columns)}"
        for row in file.rows:
            yield f"  {','.join(map(_one_line, row))}"
    if not seen.preview.faults:
        yield f"{counted(seen.preview.added, 'row')} would be added. Nothing was written."


def _one_line(value: str) -> str:
    return value if value.isprintable() else repr(value)[1:-1]


def _imported_json(imported: FilesImported) -> dict[str, object]:
    return {
        "files": [_file_json(file) for file in imported.files],
        "ignored": list(imported.ignored),
        "notes": list(imported.notes),
    }


def _file_json(file: FileImport) -> dict[str, object]:
    return {"file": file.file, "read": file.read, "added": file.added, "skipped": file.skipped}


def _seen_json(seen: FilesSeen) -> dict[str, object]:
    preview = seen.preview
    return {
        "kind": seen.kind,
        "files": [_seen_file_json(file) for file in preview.files],
        "datasets": [{"dataset": name, "images": images} for name, images in preview.datasets],
        "people": list(preview.people),
        "models": list(preview.models),
        "notes": list(seen.notes),
        "faults": [
            {"file": str(f.file), "line": f.line, "column": f.column, "problem": f.problem}
            for f in preview.faults
        ],
    }


def _seen_file_json(file: FileSeen) -> dict[str, object]:
    rows = [dict(zip(file.columns, row, strict=True)) for row in file.rows]
    counts = {"file": file.file} if file.would is None else _file_json(file.would)
    return {**counts, "rows": rows}


@click.command()
@study_argument
@folder_argument
@click.option("--names", is_flag=True, help="Write people's names too, in a column of their own.")
@click.option(
    "--format",
    "wanted",
    type=click.Choice([each.value for each in ExportFormat]),
    default=ExportFormat.EXCHANGE.value,
    show_default=True,
    help="The exchange format, what another program reads, or the report's tables as LaTeX.",
)
@dry_run_option
@json_option
def export(
    *, study: Path, folder: Path, names: bool, wanted: str, dry_run: bool, as_json: bool
) -> None:
    """Export STUDY to DIR in the exchange format, or in somebody else's.

    Whoever reads these files reads the targets: don't give them to a labeler.
    """
    chosen = ExportFormat(wanted)
    if names and chosen is not ExportFormat.EXCHANGE:
        raise click.UsageError("--names goes with the exchange format only.")
    with studying(study, writes=False) as store, watching() as bars:
        if dry_run:
            _tell_export(see_export(store, folder, chosen, bars), as_json=as_json)
            return
        summary = export_as(store, folder, chosen, names=names, progress=bars)
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        say(_written(file))


def _tell_export(seen: ExportSeen, *, as_json: bool) -> None:
    if as_json:
        files = [{"file": f.file, "rows": f.rows} for f in seen.files]
        print_json({"files": files, "replaced": list(seen.replaced), "notes": list(seen.lacks)})
        return
    for line in (*map(_written, seen.files), *seen.lacks):
        say(line)
    if seen.replaced:
        say(f"Files that lie there and would be replaced: {', '.join(seen.replaced)}.")
    say("Nothing was written.")


def _written(file: FileExport) -> str:
    return f"{file.file}." if file.rows is None else f"{file.file}: {counted(file.rows, 'row')}."
