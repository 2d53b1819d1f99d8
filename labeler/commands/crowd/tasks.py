"""Commands that write crowd tasks as web pages and read their answers."""

from pathlib import Path

import click

from labeler.app.crowd.answer_import import import_answers
from labeler.app.crowd.page_file import page_texts
from labeler.app.crowd.task_export import export_tasks, key_file
from labeler.commands.terminal import echo, json_option, opened_study, print_json, study_argument
from labeler.core.text import count_noun


@click.command("tasks")
@study_argument
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--image-base",
    metavar="URL",
    help="Where the images will be found: writes pages for a crowd service, and a list to upload.",
)
@click.option("--post-to", metavar="URL", help="Send answers to this address as well.")
@click.option(
    "--texts",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A JSON file with the page's texts in another language.",
)
@json_option
def tasks(
    *,
    study: Path,
    folder: Path,
    image_base: str | None,
    post_to: str | None,
    texts: Path | None,
    as_json: bool,
) -> None:
    """Write the open crowd tasks of STUDY as web pages into DIR.

    The file that maps the tokens is written next to DIR: keep it, and don't publish it.
    """
    with opened_study(study) as store:
        done = export_tasks(
            store, folder, texts=page_texts(texts), image_base=image_base, post_to=post_to
        )
    if as_json:
        print_json(
            {
                "tasks": {str(kind): count for kind, count in done.tasks.items()},
                "images": done.images,
                "missing_images": done.missing_images,
                "key": str(key_file(folder)),
            }
        )
        return
    for kind, count in done.tasks.items():
        echo(f"{kind}: {count_noun(count, 'task')}")
    echo(f"{count_noun(done.images, 'image')} written to {folder}.")
    if done.missing_images:
        echo(f"{count_noun(done.missing_images, 'image')} can't be read and are missing.")
    echo(f"The key is in {key_file(folder)}. Don't publish it.")


@click.command("answers")
@study_argument
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
def answers(study: Path, file: Path, as_json: bool) -> None:
    """Import annotators' answers from FILE: results of a crowd service, or a page's answers.

    Worker ids are stored as hashes. If anything in FILE is wrong, nothing is imported.
    """
    with opened_study(study) as store:
        done = import_answers(store, file)
    if as_json:
        print_json(
            {
                "answers": done.answers,
                "known": done.known,
                "annotators": done.annotators,
                "rejected": done.rejected,
            }
        )
        return
    new = count_noun(done.annotators, "new annotator")
    echo(f"{count_noun(done.answers, 'answer')} imported, {new}.")
    if done.known:
        echo(f"{count_noun(done.known, 'answer')} were there already.")
    if done.rejected:
        echo(f"{count_noun(done.rejected, 'rejected answer')} left out.")
