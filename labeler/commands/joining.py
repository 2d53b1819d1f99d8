"""The command that joins a study on a PostgreSQL server."""

from pathlib import Path

import click

from labeler.app.datasets.contact_sheets import prepare_sheets
from labeler.app.datasets.import_summary import report_lines
from labeler.app.sharing.local_pack import choose_pack, copy_pack_sheets
from labeler.app.study.joining import JoinRequest, join_study
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import echo, opened_study, path_param, study_argument
from labeler.core.clock import SystemClock
from labeler.core.errors import RefusedError


@click.command()
@click.argument("address", metavar="URL")
@click.argument("folder", type=path_param)
@click.option(
    "--images",
    metavar="DATASET=PATH",
    multiple=True,
    help="Where this computer has the images of a dataset. Can be given several times.  [default: "
    "the same folder as on the lead's computer]",
)
@click.option(
    "--pack",
    type=path_param,
    help="The study's pack, instead of folders. Labelers, reviewers and annotators need it.",
)
def join(*, address: str, folder: Path, images: tuple[str, ...], pack: Path | None) -> None:
    """Join a study that several computers share on a PostgreSQL server.

    URL is the address of its database, such as postgresql://user@host/database. The password
    comes from ~/.pgpass or the variable PGPASSWORD. FOLDER is a new folder on this computer; the
    answers are on the server. The reference images are prepared here.
    """
    request = JoinRequest(
        address=address,
        folder=folder,
        images=dict(_dataset_folder(text) for text in images),
        pack=pack,
    )
    try:
        with progress_bars() as progress:
            report = join_study(request, clock=SystemClock(), progress=progress)
    except KeyboardInterrupt:
        raise _interrupted(folder) from None
    echo(f"Joined the study '{report.study.name}' in {folder}.")
    for line in report_lines(None, report.sheets, names={}):
        echo(line)
    for sentence in report.sentences:
        echo(sentence)
    if report.study.missing:
        echo(f"Set its folder: labeler relocate {folder} {report.study.missing[0].name} PATH")
    echo(f"Open it: labeler {folder}")


@click.command("use-pack")
@study_argument
@click.argument("file", type=path_param)
def use_pack(*, study: Path, file: Path) -> None:
    """Take the pictures of a shared study from a pack.

    FILE is the pack of this study, which you got from its lead. It stays where it is.
    """
    with opened_study(study) as store, progress_bars() as progress:
        choose_pack(store, file)
        copy_pack_sheets(store, progress=progress)
        prepare_sheets(store, progress=progress)
    echo(f"This computer takes the study's pictures from {file}.")


def _dataset_folder(text: str) -> tuple[str, Path]:
    dataset, separator, path = text.partition("=")
    if not (dataset and separator and path):
        raise click.UsageError(f"--images needs DATASET=PATH, not '{text}'.")
    return dataset, Path(path)


def _interrupted(folder: Path) -> RefusedError:
    return RefusedError(
        "Interrupted. If the folder was created, the reference images that are missing are "
        "prepared when the study is opened.",
        by_command=f"`labeler references {folder}` prepares them now.",
    )
