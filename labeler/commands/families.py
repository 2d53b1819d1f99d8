"""The command for families of classes that every labeler can train on."""

from pathlib import Path

import click

from labeler.app.training.families import share_family, shared_families, unshare_family
from labeler.commands.terminal import echo, json_option, opened_study, print_json, study_argument
from labeler.core.text import count_noun


@click.command()
@study_argument
@click.argument("action", required=False, type=click.Choice(["save", "forget"]))
@click.argument("name", required=False)
@click.argument("classes", nargs=-1)
@json_option
def families(
    study: Path, action: str | None, name: str | None, classes: tuple[str, ...], as_json: bool
) -> None:
    """List the families of STUDY that everybody can train on, save one, or forget it.

    \b
    labeler families STUDY
    labeler families STUDY save "Marmots and beavers" marmot beaver
    labeler families STUDY forget "Marmots and beavers"
    """
    if action is not None and name is None:
        raise click.UsageError(f"Which? labeler families STUDY {action} NAME")
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
        held = ", ".join(names[wnid] for wnid in each.wnids[:5])
        more = ", …" if len(each.wnids) > 5 else ""
        echo(f"{each.name}: {count_noun(len(each.wnids), 'class', 'classes')} ({held}{more})")
    if not listed:
        echo("There are no families for everybody yet.")
