"""Commands for candidate pools: add, count, reject, and what to search for."""

from pathlib import Path

import click

from labeler.app.curation.building import pool_overview
from labeler.app.curation.pool_import import PoolImportReport, PoolRequest, import_candidates
from labeler.app.curation.rejections import reject_candidates, unreject_candidates
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.curation.entities import RejectReason
from labeler.core.curation.pools import PoolClass
from labeler.core.curation.query_helper import FIRST_IMAGES, suggest_queries
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun

INTERRUPTED = "Interrupted. Run the same command again to continue."


@click.command("add-pool")
@study_argument
@click.argument("pool")
@click.argument("path", type=path_param)
@click.option("--source", default="", help="Where the images come from.  [default: PATH's name]")
@click.option(
    "--files",
    type=path_param,
    help="The folder with the images of a list.  [default: the list's folder]",
)
@json_option
def add_pool(
    *, study: Path, pool: str, path: Path, source: str, files: Path | None, as_json: bool
) -> None:
    """Add the candidates at PATH to the candidate pool POOL of STUDY.

    PATH is a folder by class, a manifest CSV with the columns image and label, or search results:
    a CSV file or JSON list with id, class, address, query, taken and uploaded. Nothing is
    downloaded or copied. Run the command again to continue an interrupted one, or to add more.
    """
    request = PoolRequest(pool=pool, path=path, source=source, files=files)
    try:
        with opened_study(study) as store, progress_bars() as progress:
            report = import_candidates(store, request, progress=progress)
    except KeyboardInterrupt:
        raise RefusedError(INTERRUPTED) from None
    if as_json:
        print_json(_import_json(report))
        return
    for line in report.lines:
        echo(line)


def _import_json(report: PoolImportReport) -> dict[str, object]:
    return {
        "pool": report.pool,
        "candidates": report.candidates,
        "added": report.added,
        "already_there": report.already_there,
        "repeated": report.repeated,
        "not_downloaded": report.not_downloaded,
        "unreadable": list(report.unreadable),
        "ignored": report.ignored,
    }


@click.command("pool")
@study_argument
@click.argument("pool")
@click.option("--per-class", type=click.IntRange(min=1), default=10, show_default=True)
@json_option
def pool_command(study: Path, pool: str, per_class: int, as_json: bool) -> None:
    """Show what each class of POOL has and still needs."""
    with opened_study(study, writes=False) as store, store.read() as transaction:
        classes = pool_overview(transaction, pool, per_class=per_class)
        names = store.taxonomy.display_names
    if as_json:
        print_json([_class_json(each) for each in classes])
        return
    for each in classes:
        echo(
            f"{each.label} {names[each.label]}: {count_noun(each.candidates, 'candidate')}, "
            f"{each.rejected:,} rejected, {each.annotated:,} annotated, {each.eligible:,} eligible"
            f"{f', {each.missing:,} missing' if each.missing else ''}"
        )


def _class_json(each: PoolClass) -> dict[str, object]:
    return {
        "label": each.label,
        "candidates": each.candidates,
        "rejected": each.rejected,
        "annotated": each.annotated,
        "eligible": each.eligible,
        "missing": each.missing,
    }


@click.command("queries")
@study_argument
@click.argument("label", metavar="WNID")
@click.option("--images", type=click.IntRange(min=1), default=FIRST_IMAGES, show_default=True)
@click.option("--word", "words", multiple=True, help="A free query. Can be given several times.")
@json_option
def queries(study: Path, label: str, images: int, words: tuple[str, ...], as_json: bool) -> None:
    """Suggest what to search for to find candidates of the class WNID."""
    with opened_study(study, writes=False) as store:
        taxonomy = store.taxonomy
        if not (label in taxonomy and taxonomy.is_class(label)):
            raise RefusedError(f"'{label}' isn't the wnid of a class of the study.")
        found = suggest_queries(taxonomy, label, images=images, free=words)
    if as_json:
        print_json(
            [{"query": q.text, "kind": str(q.kind), "images": q.images or None} for q in found]
        )
        return
    for query in found:
        share = f" ({count_noun(query.images, 'image')} with “{query.synonym}”)"
        echo(f"{query.text}{share if query.images else ''}")


@click.command("reject")
@study_argument
@click.argument("pool")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…")
@click.option(
    "--reason", type=click.Choice([str(reason) for reason in RejectReason]), required=True
)
@click.option("--note", default="")
@click.option("--by", help="The code of the person who rejects.")
def reject(
    *, study: Path, pool: str, images: tuple[str, ...], reason: str, note: str, by: str | None
) -> None:
    """Bar candidates of POOL from every dataset; `unreject` takes it back."""
    keys = [ImageKey(pool, image) for image in images]
    with opened_study(study) as store:
        reject_candidates(store, keys, RejectReason(reason), by=by, note=note)
    echo(f"{count_noun(len(keys), 'candidate')} rejected.")


@click.command("unreject")
@study_argument
@click.argument("pool")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…")
@click.option("--by", help="The code of the person who takes it back.")
def unreject(study: Path, pool: str, images: tuple[str, ...], by: str | None) -> None:
    """Take the rejection of candidates of POOL back."""
    with opened_study(study) as store:
        count = unreject_candidates(store, [ImageKey(pool, image) for image in images], by=by)
    echo(f"{count_noun(count, 'rejection')} taken back.")
