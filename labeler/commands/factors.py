"""The command for a file of properties of images."""

from pathlib import Path

import click

from labeler.app.datasets.factor_import import import_factors, remove_factors
from labeler.commands.terminal import echo, opened_study, path_param, study_argument


@click.command("import-factors")
@study_argument
@click.argument("file", type=path_param, required=False)
@click.option("--remove", is_flag=True, help="Remove the imported factors instead.")
def import_factors_file(*, study: Path, file: Path | None, remove: bool) -> None:
    """Import properties of images, which become subsets in the results and the report.

    FILE is a CSV file with the column image and one column per factor, or ImageNet-X' JSON lines.
    It replaces the file imported before.
    """
    if (file is None) != remove:
        raise click.UsageError("Give a file to import, or --remove.")
    with opened_study(study, writes=True) as store:
        for sentence in (remove_factors(store),) if file is None else import_factors(store, file):
            echo(sentence)
