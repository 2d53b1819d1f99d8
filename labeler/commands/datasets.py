"""Commands for images: add datasets, draw references, the training pool and the sample."""

from collections.abc import Mapping
from pathlib import Path

import click

from labeler.app.datasets.contact_sheets import SheetsReport, prepare_sheets
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import (
    DatasetRequest,
    ImportInterrupted,
    ImportReport,
    detect_dataset_layout,
)
from labeler.app.datasets.import_summary import report_json, report_lines
from labeler.app.datasets.relocation import relocate_dataset
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    progress_bars,
    seed_option,
    study_argument,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.images.layouts import DatasetLayout
from labeler.store.study_store import StudyStore

_LAYOUTS = ["auto", *(layout.value for layout in DatasetLayout)]

layout_option = click.option(
    "--layout",
    type=click.Choice(_LAYOUTS),
    default="auto",
    show_default=True,
    help="How the folder says which image has which target: folders named by wnid; ImageNetV2's "
    "folders 0…999; a flat folder with a labels file; a manifest CSV given as PATH.",
)
labels_option = click.option(
    "--labels",
    type=path_param,
    help="The labels of a flat folder: a CSV with the columns image,wnid.",
)


@click.command("add-dataset")
@study_argument
@click.argument("name")
@click.argument("path", type=path_param)
@layout_option
@labels_option
@click.option(
    "--role",
    type=click.Choice([role.value for role in DatasetRole]),
    default=DatasetRole.EVALUATION.value,
    show_default=True,
    help="What the images are for. Of a reference folder 100 images a class are drawn.",
)
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    help="Draw so many images of each class and read no others.",
)
@seed_option
@click.option("--apply-exif", is_flag=True, help="Turn images as their EXIF data says.")
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

    The images stay where they are. Interrupt it when you like: the same command goes on.
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
@click.option("--name", default="references", show_default=True, help="The dataset's name.")
@layout_option
@labels_option
@click.option(
    "--per-class",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many images of each class; fewer where there are fewer.",
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
    """Draw the reference images of each class from a training folder and prepare their panels.

    In a folder of a million images only names are listed, and only what is drawn is read. Without
    PATH it builds the panels that are missing or outdated.
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
            report = _import(store, request, quiet=as_json)
        sheets = _prepare_sheets(store)
        names = store.taxonomy.display_names
    _print_import(report, sheets, names=names, as_json=as_json)


@click.command()
@study_argument
@click.argument("dataset")
@click.argument("folder", type=path_param)
@click.option(
    "--partly", is_flag=True, help="Take FOLDER even if only a part of the files is there."
)
def relocate(*, study: Path, dataset: str, folder: Path, partly: bool) -> None:
    """Say that the folder of DATASET is at FOLDER now, where its files are looked for."""
    with opened_study(study) as store, progress_bars() as progress:
        there = relocate_dataset(store, dataset, folder, partly=partly, progress=progress)
    echo(f"{dataset} is at {folder} now. `labeler check {study}` compares every file.")
    if not there.complete:
        echo(there.sentence)


def _import(store: StudyStore, request: DatasetRequest, *, quiet: bool) -> ImportReport:
    recognised = detect_dataset_layout(request)
    if not quiet:
        found = request.layout is None
        echo(f"Found: {recognised.sentence}" if found else recognised.sentence)
    try:
        with progress_bars() as progress:
            report = import_dataset(store, request, progress=progress)
    except KeyboardInterrupt:
        raise RefusedError("Interrupted. Run the same command again to go on.") from None
    if isinstance(report, ImportInterrupted):
        raise RefusedError("Interrupted. Run the same command again to go on.")
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
