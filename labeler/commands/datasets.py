"""Commands for images: add datasets, draw reference images, move a dataset."""

from collections.abc import Mapping
from pathlib import Path

import click

from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset, is_imported
from labeler.app.datasets.import_request import (
    DatasetRequest,
    ImportInterrupted,
    ImportReport,
    detect_dataset_layout,
)
from labeler.app.datasets.import_summary import report_json, report_lines
from labeler.app.datasets.relocation import relocate_dataset
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    seed_option,
    study_argument,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.images.layouts import DatasetLayout
from labeler.store.study_store import StudyStore

INTERRUPTED = "Interrupted. Run the same command again to continue."

_LAYOUTS = ["auto", *(layout.value for layout in DatasetLayout)]

layout_option = click.option(
    "--layout",
    type=click.Choice(_LAYOUTS),
    default="auto",
    show_default=True,
    help="Where the targets come from: folders named by wnid; ImageNetV2's folders 0…999; a flat "
    "folder with a labels file; a folder of files named by wnid; a manifest CSV given as PATH.",
)
labels_option = click.option(
    "--labels",
    type=path_param,
    help="The labels of a flat folder: a CSV file with the columns image,wnid.",
)


@click.command("add-dataset")
@study_argument
@click.argument("name")
@click.argument("path", type=path_param)
@layout_option
@labels_option
@click.option(
    "--role",
    type=click.Choice([r.value for r in DatasetRole if r is not DatasetRole.POOL]),
    default=DatasetRole.EVALUATION.value,
    show_default=True,
    help="What the images are for. From a reference folder, 100 images per class are drawn.",
)
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    help="Draw this many images of each class, and don't read the others.",
)
@seed_option
@click.option("--apply-exif", is_flag=True, help="Rotate images according to their EXIF data.")
@json_option
def add_dataset(
    *,
    study: Path,
    name: str,
    path: Path,
    layout: str,
    labels: Path | None,
    role: str,
    per_class: int | None,
    seed: int | None,
    apply_exif: bool,
    as_json: bool,
) -> None:
    """Add the images at PATH to STUDY as the dataset NAME.

    The images are not copied. You can interrupt the command; run it again to continue.
    """
    request = DatasetRequest(
        name=name,
        path=path,
        role=DatasetRole(role),
        layout=None if layout == "auto" else DatasetLayout(layout),
        labels=labels,
        per_class=per_class,
        seed=seed,
        apply_exif=apply_exif,
    )
    with opened_study(study) as store:
        report = _import(store, request, quiet=as_json)
        sheets = _prepare_sheets(store) if request.role is DatasetRole.REFERENCE else None
        names = store.taxonomy.display_names
    _print_import(report, sheets, names=names, as_json=as_json)


@click.command()
@study_argument
@click.argument("path", type=path_param, required=False)
@click.option("--name", default="references", show_default=True, help="The name of the dataset.")
@layout_option
@labels_option
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many images to draw of each class, if it has as many.",
)
@seed_option
@json_option
def references(
    *,
    study: Path,
    path: Path | None,
    name: str,
    layout: str,
    labels: Path | None,
    per_class: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Draw reference images from a training folder.

    The panels that show the reference images of a class are built too. All file names are listed,
    but only the images that are drawn are read, so a large folder is no problem. Without PATH,
    build the panels that are missing or outdated.
    """
    with opened_study(study) as store:
        report = None
        if path is not None:
            request = DatasetRequest(
                name=name,
                path=path,
                role=DatasetRole.REFERENCE,
                layout=None if layout == "auto" else DatasetLayout(layout),
                labels=labels,
                per_class=per_class,
                seed=seed,
            )
            # A run that was killed while it built the panels has added the images already.
            if not is_imported(store, request):
                report = _import(store, request, quiet=as_json)
        sheets = _prepare_sheets(store)
        names = store.taxonomy.display_names
    _print_import(report, sheets, names=names, as_json=as_json)


@click.command()
@study_argument
@click.argument("dataset")
@click.argument("folder", type=path_param)
@click.option(
    "--partly", is_flag=True, help="Accept FOLDER even if it contains only some of the files."
)
def relocate(*, study: Path, dataset: str, folder: Path, partly: bool) -> None:
    """Change the folder of DATASET.

    Use this after you moved its files to FOLDER.
    """
    with opened_study(study) as store, progress_bars() as progress:
        found = relocate_dataset(store, dataset, folder, partly=partly, progress=progress)
    echo(f"{dataset} is now at {folder}. To compare every file, run `labeler check {study}`.")
    if not found.complete:
        echo(found.sentence)


def _import(store: StudyStore, request: DatasetRequest, *, quiet: bool) -> ImportReport:
    detected = detect_dataset_layout(request)
    if not quiet:
        echo(f"Found: {detected.sentence}" if request.layout is None else detected.sentence)
    try:
        with progress_bars() as progress:
            report = import_dataset(store, request, progress=progress)
    except KeyboardInterrupt:
        raise RefusedError(INTERRUPTED) from None
    if isinstance(report, ImportInterrupted):
        raise RefusedError(INTERRUPTED)
    return report


def _prepare_sheets(store: StudyStore) -> SheetsReport:
    with progress_bars() as progress:
        return prepare_sheets(store, progress=progress)


def _print_import(
    report: ImportReport | None,
    sheets: SheetsReport | None,
    *,
    names: Mapping[str, str],
    as_json: bool,
) -> None:
    if as_json:
        print_json(report_json(report, sheets))
        return
    for line in report_lines(report, sheets, names=names):
        echo(line)
