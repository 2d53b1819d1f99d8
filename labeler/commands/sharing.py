"""Commands for work on several computers: lead keys, packs, bundles and merging."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from labeler.app.sharing.bundles import make_bundle
from labeler.app.sharing.forgotten_passphrase import (
    answer_key_request,
    save_key_request,
    set_new_passphrase,
)
from labeler.app.sharing.lead_keys import (
    UnlockedKeys,
    change_passphrase,
    create_keys,
    list_keys,
    restore_keys,
    unlock_keys,
)
from labeler.app.sharing.merge import (
    MergedFile,
    accept_late_answers,
    late_answers,
    merge_results,
    outcome_lines,
)
from labeler.app.sharing.packs import make_pack
from labeler.app.sharing.updates import make_update, update_sentence
from labeler.commands.progress_bars import progress_bars
from labeler.commands.terminal import (
    echo,
    json_option,
    opened_study,
    path_param,
    print_json,
    study_argument,
)
from labeler.core.study.entities import Role
from labeler.core.text import count_noun
from labeler.store.sharing.merges import LateDecision
from labeler.store.study_store import StudyStore

# For scripts: a passphrase on the command line would be visible to others.
PASSPHRASE_VARIABLE = "LABELER_KEY_PASSPHRASE"
NEW_PASSPHRASE_VARIABLE = "LABELER_NEW_PASSPHRASE"

recovery_option = click.option(
    "--recovery", type=path_param, required=True, help="The recovery file."
)


@click.group()
def keys() -> None:
    """Make and recover the lead's keys, which sign bundles and open results."""


@keys.command("create")
@study_argument
@click.option("--name", default="lead", show_default=True, help="Whose keys these are.")
@recovery_option
def create(study: Path, name: str, recovery: Path) -> None:
    """Make keys for a lead of STUDY, and save the recovery file.

    The passphrase is asked for, or taken from LABELER_KEY_PASSPHRASE. A second lead makes keys
    with another name; both can then open all results. Keep the recovery file where no labeler can
    read it: it opens all results without a passphrase.
    """
    passphrase = _new_passphrase(PASSPHRASE_VARIABLE)
    with opened_study(study) as store:
        fingerprint = create_keys(store, name=name, passphrase=passphrase, recovery=recovery)
    echo(f"The keys of {name} are made: {fingerprint}.")
    echo(f"Their recovery file is {recovery}. Move it to a safe place off this computer.")


@keys.command("restore")
@study_argument
@recovery_option
def restore(study: Path, recovery: Path) -> None:
    """Set a new passphrase for lost keys, with their recovery file."""
    passphrase = _new_passphrase(NEW_PASSPHRASE_VARIABLE)
    with opened_study(study) as store:
        name = restore_keys(store, recovery=recovery, passphrase=passphrase)
    echo(f"The keys of {name} have a new passphrase.")


@keys.command("passphrase")
@study_argument
def passphrase_command(study: Path) -> None:
    """Change the passphrase of a lead's keys."""
    old = _passphrase()
    new = _new_passphrase(NEW_PASSPHRASE_VARIABLE)
    with opened_study(study) as store:
        name = change_passphrase(store, old=old, new=new)
    echo(f"The keys of {name} have a new passphrase.")


@keys.command("list")
@study_argument
@json_option
def list_command(study: Path, as_json: bool) -> None:
    """List the keys of the leads by name and fingerprint."""
    with opened_study(study, writes=False) as store:
        found = list_keys(store)
    if as_json:
        print_json(
            [
                {"name": one.name, "fingerprint": one.public.fingerprint, "made_at": one.made_at}
                for one in found
            ]
        )
        return
    for one in found:
        echo(f"{one.name}  {one.public.fingerprint}  made {one.made_at}")
    if not found:
        echo("No keys yet.")


@keys.command("request")
@click.argument("bundle_file", metavar="BUNDLE", type=path_param)
@click.option("--out", type=path_param, required=True, help="The file to send to the lead.")
def request_command(bundle_file: Path, out: Path) -> None:
    """For a person who forgot the passphrase of BUNDLE: write what the lead needs to unlock it."""
    save_key_request(bundle_file, out)
    echo(f"Send {out} to the lead, who sends back a file and a code.")


@keys.command("unlock")
@study_argument
@click.argument("request", type=path_param)
@click.option("--out", type=path_param, required=True, help="The file to send back.")
def unlock_command(study: Path, request: Path, out: Path) -> None:
    """For the lead: answer the REQUEST of a person who forgot the passphrase."""
    with opened_study(study) as store:
        code = answer_key_request(store, request, out, keys=_unlocked(store))
    echo(f"Send {out} back, and give this code by another way: {code}")


@keys.command("renew")
@click.argument("bundle_file", metavar="BUNDLE", type=path_param)
@click.argument("reply", type=path_param)
def renew_command(bundle_file: Path, reply: Path) -> None:
    """For the person: set a new passphrase for BUNDLE with the lead's REPLY and its code."""
    code = str(click.prompt("Code"))
    passphrase = _new_passphrase(NEW_PASSPHRASE_VARIABLE)
    set_new_passphrase(bundle_file, reply, opening_code=code, passphrase=passphrase)
    echo("The bundle has a new passphrase. All work in it is there.")


@click.command()
@study_argument
@click.option("--out", type=path_param, required=True, help="The pack, a .labelerpack file.")
def pack(study: Path, out: Path) -> None:
    """Write the pictures that people need into one file, without names or metadata.

    An interrupted pack continues where it stopped if the command is repeated.
    """
    with opened_study(study) as store, progress_bars() as progress:
        made = make_pack(store, out, progress=progress)
    echo(f"{out} has {made.images:,} images in {made.bytes / 1e6:,.1f} MB.")


@click.command()
@study_argument
@click.option("--for", "code", required=True, metavar="CODE", help="The person's code.")
@click.option("--out", type=path_param, required=True, help="The bundle, a .labeler file.")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role if role is not Role.LEAD]),
    help="For a person with several roles.",
)
@click.option("--with-pack", is_flag=True, help="Put the newest pack into the same file.")
@click.option(
    "--tasks",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="For an annotator: how many more tasks of each kind to hand out.",
)
def bundle(study: Path, code: str, out: Path, role: str | None, **options: Any) -> None:
    """Write the bundle of one person of STUDY, and print its opening code.

    Give the code to the person by another way than the file.
    """
    with opened_study(study) as store:
        made = make_bundle(
            store,
            out,
            code=code,
            keys=_unlocked(store),
            role=None if role is None else Role(role),
            with_pack=options["with_pack"],
            tasks=options["tasks"],
        )
    echo(f"{out} is the bundle of {code} as {made.role.value}.")
    echo(f"Opening code: {made.opening_code}")


@click.command("update")
@study_argument
@click.option("--out", type=path_param, required=True, help="A .labelerupdate file.")
def update_command(study: Path, out: Path) -> None:
    """Write what is new in STUDY for people who have their bundles.

    That is phases, settings and the guide, a sample that was drawn later, and new images to review.
    Everyone gets the same file and puts it next to the bundle; it applies when that is opened.
    """
    with opened_study(study) as store, progress_bars() as progress:
        images = make_update(store, out, keys=_unlocked(store), progress=progress)
    echo(update_sentence(out, images))


@click.command()
@study_argument
@click.argument("files", nargs=-1, type=path_param)
@click.option("--preview", is_flag=True, help="Print what would be merged, and change nothing.")
@click.option(
    "--confirm",
    multiple=True,
    metavar="FINGERPRINT",
    help="A person's key whose fingerprint you compared with them.",
)
@click.option("--accept-late", metavar="CODE", help="Let this person's late answers count.")
@click.option("--late", "list_late", is_flag=True, help="List the answers after the lock.")
@json_option
def merge(study: Path, files: tuple[Path, ...], **options: Any) -> None:
    """Merge results FILES of bundles into STUDY.

    Files can be merged in any order and repeatedly. All of them are merged, or none.
    """
    with opened_study(study) as store:
        if options["accept_late"]:
            count = accept_late_answers(store, options["accept_late"])
            echo(f"{count_noun(count, 'late entry', 'late entries')} now count.")
        if options["list_late"]:
            _print_late(late_answers(store), as_json=options["as_json"])
        if not files:
            return
        with progress_bars() as progress:
            merged = merge_results(
                store,
                files,
                keys=_unlocked(store),
                confirmed=options["confirm"],
                preview=options["preview"],
                progress=progress,
            )
    _print_merged(merged, as_json=options["as_json"])


def _print_merged(merged: Sequence[MergedFile], *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {
                    "file": str(one.file),
                    "code": one.outcome.code,
                    "role": one.outcome.role.value,
                    "fingerprint": one.outcome.writer_id,
                    "confirmed": one.outcome.is_confirmed,
                    "new_entries": one.outcome.new_entries,
                    "new_decisions": one.outcome.new_decisions,
                    "missing_entries": one.outcome.missing_entries,
                    "conflicts": one.outcome.conflicts,
                    "late": one.outcome.late,
                }
                for one in merged
            ]
        )
        return
    for one in merged:
        for line in outcome_lines(one):
            echo(line)


def _print_late(late: Sequence[LateDecision], *, as_json: bool) -> None:
    if as_json:
        print_json([{"code": one.code, "at": one.at, "accepted": one.accepted} for one in late])
        return
    for one in late:
        echo(f"{one.code}  {one.at}  {'accepted' if one.accepted else 'not accepted'}")
    if not late:
        echo("No answer came after the lock.")


def _unlocked(store: StudyStore) -> UnlockedKeys:
    return unlock_keys(store, _passphrase())


def _passphrase() -> str:
    given = os.environ.get(PASSPHRASE_VARIABLE)
    return given if given else str(click.prompt("Passphrase of the lead's keys", hide_input=True))


def _new_passphrase(variable: str) -> str:
    given = os.environ.get(variable)
    if given:
        return given
    return str(click.prompt("New passphrase", hide_input=True, confirmation_prompt=True))
