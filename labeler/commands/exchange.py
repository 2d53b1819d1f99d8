"""Commands for a study in and out as files: the exchange format, and other people's."""

from collections.abc import Iterator
from pathlib import Path

import click

from labeler.app.exchange.file_export import (
    ExportFormat,
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
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    progress_bars,
    study_argument,
)
from labeler.core.errors import RefusedError
from labeler.core.text import count_noun
from labeler.store.exchange.preview import FilePreview
from labeler.store.exchange.summary import FileExport, FileImport

folder_argument = click.argument("folder", metavar="DIR", type=path_param)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Tell what would be done, and do nothing."
)


@click.command("import")
@study_argument
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=path_param)
@dry_run_option
@json_option
def import_(study: Path, paths: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Import PATH into STUDY: all of it, or nothing.

    PATH is a folder of the exchange format, which holds any of datasets.csv, participants.csv,
    predictions.csv, reviews.csv and multilabels.csv, or some of these files alone; or a file of
    someone else's: human_accuracy.pickle, human_accuracy_v3.0.0.json or real.json. Files are
    recognised by what is in them. Rows that the study has already are skipped; one that differs
    is an error.
    """
    if dry_run:
        _preview(study, paths, as_json=as_json)
        return
    with opened_study(study) as store, progress_bars() as bars:
        imported = run_file_import(store, paths, bars)
    if as_json:
        print_json(_imported_json(imported))
        return
    for line in imported.sentences:
        echo(line)


def _preview(study: Path, paths: tuple[Path, ...], *, as_json: bool) -> None:
    with opened_study(study, writes=False) as store, progress_bars() as bars:
        seen = preview_file_import(store, paths, bars)
    if as_json:
        print_json(_seen_json(seen))
    else:
        for line in (seen.kind, *seen.about, *_seen_lines(seen)):
            echo(line)
    faults = seen.preview.faults
    if faults:
        raise RefusedError("\n".join(["Nothing would be imported:", *map(str, faults)]))


def _seen_lines(seen: FilesPreview) -> Iterator[str]:
    for file in seen.preview.files:
        would = file.would
        if would is None:
            yield f"{file.file}:"
        else:
            there = f"{would.added:,} new, {would.skipped:,} there already"
            yield f"{file.file}: {count_noun(would.read, 'row')}, {there}."
        yield f"  {','.join(file.columns)}"
        for row in file.rows:
            yield f"  {','.join(map(_one_line, row))}"
    if not seen.preview.faults:
        yield f"{count_noun(seen.preview.added, 'row')} would be added. Nothing was written."


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


def _seen_json(seen: FilesPreview) -> dict[str, object]:
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


def _seen_file_json(file: FilePreview) -> dict[str, object]:
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
    """Export STUDY to DIR in the exchange format, or in someone else's.

    Anyone who reads these files reads the targets: don't give them to a labeler.
    """
    chosen = ExportFormat(wanted)
    if names and chosen is not ExportFormat.EXCHANGE:
        raise click.UsageError("--names goes with the exchange format only.")
    with opened_study(study, writes=False) as store, progress_bars() as bars:
        if dry_run:
            _print_export(preview_export(store, folder, chosen, bars), as_json=as_json)
            return
        summary = export_study(store, folder, chosen, names=names, progress=bars)
    if as_json:
        print_json([{"file": f.file, "rows": f.rows} for f in summary.files])
        return
    for file in summary.files:
        echo(_written_line(file))


def _print_export(seen: ExportPreview, *, as_json: bool) -> None:
    if as_json:
        files = [{"file": f.file, "rows": f.rows} for f in seen.files]
        print_json({"files": files, "replaced": list(seen.replaced), "notes": list(seen.omitted)})
        return
    for line in (*map(_written_line, seen.files), *seen.omitted):
        echo(line)
    if seen.replaced:
        echo(f"Files that lie there and would be replaced: {', '.join(seen.replaced)}.")
    echo("Nothing was written.")


def _written_line(file: FileExport) -> str:
    return f"{file.file}." if file.rows is None else f"{file.file}: {count_noun(file.rows, 'row')}."
