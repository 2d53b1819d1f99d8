"""The command for a file of classes that are often confused."""

from pathlib import Path

import click

from labeler.app.classes.confusion_import import import_confusions, remove_confusions
from labeler.commands.terminal import echo, opened_study, path_param, study_argument


@click.command("import-confusions")
@study_argument
@click.argument("file", type=path_param, required=False)
@click.option(
    "--outside-study",
    is_flag=True,
    help="Confirm that the counts were made on images outside this study; required.",
)
@click.option("--remove", is_flag=True, help="Remove the imported pairs instead.")
def import_confusions_file(
    *, study: Path, file: Path | None, outside_study: bool, remove: bool
) -> None:
    """Import how often classes are confused, to rank the look-alikes that labelers see.

    FILE is a CSV file with the columns wnid_a, wnid_b and, optionally, count. It replaces the file
    imported before. The guide and the group's training mistakes rank higher.
    """
    if (file is None) != remove:
        raise click.UsageError("Give a file to import, or --remove.")
    with opened_study(study, writes=True) as store:
        if file is None:
            echo(remove_confusions(store))
        else:
            echo(import_confusions(store, file, outside_study=outside_study))
