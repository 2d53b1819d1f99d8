"""Commands for classes: families, building a taxonomy, listing and searching."""

from collections.abc import Iterable
from pathlib import Path

import click

from labeler.app.classes.class_view import ClassViewBuilder
from labeler.app.training.families import share_family, shared_families, unshare_family
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.classes import taxonomy as taxonomies
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import EnvironmentFault
from labeler.core.text import count_noun
from labeler.wordnet.related_words import find_related_words, write_related_words
from labeler.wordnet.taxonomy_builder import build_taxonomy, read_wnids

NO_FAMILIES = "No families are shared yet."


@click.command()
@study_argument
@click.argument("action", required=False, type=click.Choice(["save", "forget"]))
@click.argument("name", required=False)
@click.argument("classes", nargs=-1)
@json_option
def families(
    study: Path, action: str | None, name: str | None, classes: tuple[str, ...], as_json: bool
) -> None:
    """List, save or delete families for training.

    Everyone in STUDY can train on these families of classes.

    \b
    labeler families STUDY
    labeler families STUDY save "Marmots and beavers" marmot beaver
    labeler families STUDY forget "Marmots and beavers"
    """
    if action is not None and name is None:
        raise click.UsageError(f"Give the name of the family: labeler families STUDY {action} NAME")
    with opened_study(study, writes=action is not None) as store:
        if action == "save":
            share_family(store, name or "", classes)
        elif action == "forget":
            unshare_family(store, name or "")
        listed = shared_families(store)
        names = store.taxonomy.display_names
    if as_json:
        print_json([{"family": each.name, "classes": list(each.wnids)} for each in listed])
        return
    for each in listed:
        first = ", ".join(names[wnid] for wnid in each.wnids[:5])
        more = ", …" if len(each.wnids) > 5 else ""
        echo(f"{each.name}: {count_noun(len(each.wnids), 'class', 'classes')} ({first}{more})")
    if not listed:
        echo(NO_FAMILIES)


@click.group()
def taxonomy() -> None:
    """Build a frozen taxonomy from WordNet."""


@taxonomy.command()
@click.option(
    "--wordnet",
    required=True,
    type=path_param,
    help="The folder of WordNet's database files, such as data.noun. ImageNet uses the ids of "
    "WordNet 3.0.",
)
@click.option(
    "--classes",
    required=True,
    type=path_param,
    help="A text file with one wnid per line.",
)
@click.option(
    "--out",
    default="taxonomy.json",
    show_default=True,
    type=path_param,
    help="The file to write.",
)
def build(wordnet: Path, classes: Path, out: Path) -> None:
    """Build the taxonomy above a list of classes.

    The same input always gives the same file. Use it with `labeler new --taxonomy FILE`.
    """
    built = build_taxonomy(wordnet, read_wnids(classes))
    _replace_file(out, taxonomies.dump(built))
    count = count_noun(len(built.class_wnids), "class", "classes")
    echo(f"Wrote {count} under {count_noun(len(built), 'node')} of {built.source} to {out}.")


@taxonomy.command("related-words")
@click.option(
    "--wordnet",
    required=True,
    type=path_param,
    help="The folder of WordNet's database files, such as data.noun.",
)
@click.option("--out", required=True, type=path_param, help="The file to write.")
def related_words(wordnet: Path, out: Path) -> None:
    """List WordNet's words that belong to a class or branch.

    The search suggests the class or branch for such a word: a canoe for a kayak. The program ships
    this file for ImageNet's classes.
    """
    found = find_related_words(wordnet, taxonomies.load_default())
    _replace_file(out, write_related_words(found))
    echo(f"Wrote {count_noun(len(found), 'word')} to {out}.")


def _replace_file(out: Path, content: bytes) -> None:
    aside = out.with_name(out.name + ".partial")
    try:
        aside.write_bytes(content)
        aside.replace(out)
    except OSError as error:
        raise EnvironmentFault(f"'{out}' can't be written: {error.strerror}.") from error


@click.command()
@click.argument("query", nargs=-1)
@click.option("--limit", type=click.IntRange(min=1), help="List at most this many.")
@click.option(
    "--taxonomy",
    "file",
    type=path_param,
    help="Your own taxonomy.  [default: ImageNet's 1,000 classes]",
)
@json_option
def classes(query: tuple[str, ...], limit: int | None, file: Path | None, as_json: bool) -> None:
    """List the classes, or search them as the window does.

    You can search for prefixes of several words, synonyms, words of the description, wnids and
    class indices, with typos: `labeler classes cic nig` finds the black stork.
    """
    known = taxonomies.load_default() if file is None else taxonomies.load(file)
    found = list(_search(known, " ".join(query)))[:limit]
    views = ClassViewBuilder(known)
    rows = [_row(known, views, rank, wnid) for rank, wnid in enumerate(found, start=1)]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        echo(f"{row['index']:>4}  {row['wnid']}  {row['name']:<32}  {row['path']}")
    if not rows:
        echo("No class matches. Try fewer letters, or another name.")


def _search(known: Taxonomy, query: str) -> Iterable[str]:
    if not query.strip():
        return known.class_wnids
    hits = ClassSearch(known).search(query, limit=len(known.class_wnids))
    return (hit.wnid for hit in hits)


def _row(known: Taxonomy, views: ClassViewBuilder, rank: int, wnid: str) -> dict[str, object]:
    return {
        "rank": rank,
        "index": known.index_of(wnid),
        "wnid": wnid,
        "name": known.display_names[wnid],
        "path": views.row(wnid).path,
    }
