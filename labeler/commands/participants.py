"""The command for the people and models of a study."""

from pathlib import Path

import click

from labeler.app.study.people import add_person, change_roles
from labeler.app.study.phase_facts import washout_sentence
from labeler.commands.terminal import echo, json_option, opened_study, print_json, study_argument
from labeler.core.study.entities import Participant, Role


@click.command()
@study_argument
@click.argument("action", required=False, type=click.Choice(["add", "set"]))
@click.argument("code", required=False)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([role.value for role in Role]),
    help="A role of the person. Can be given several times.",
)
@click.option("--description", default="", help="Shown to the lead and in reports.")
@click.option("--name", help="The person's name, stored separately and shown only on request.")
@click.option("--seed", type=int, help="The seed of their order of trials.  [default: derived]")
@json_option
def participants(
    *,
    study: Path,
    action: str | None,
    code: str | None,
    roles: tuple[str, ...],
    description: str,
    name: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """List participants, add one, or change roles.

    \b
    labeler participants STUDY
    labeler participants STUDY add A --role labeler
    labeler participants STUDY set A --role labeler --role reviewer
    """
    if action is not None and code is None:
        raise click.UsageError(f"Give a code: labeler participants STUDY {action} CODE --role ROLE")
    chosen = [Role(role) for role in roles]
    wait = ""
    with opened_study(study, writes=action is not None) as store:
        if action == "add":
            add_person(
                store,
                code or "",
                roles=chosen,
                description=description,
                name=name,
                order_seed=seed,
            )
        elif action == "set":
            change_roles(store, code or "", chosen)
            wait = washout_sentence(store, code or "") if Role.LABELER in chosen else ""
        with store.read() as transaction:
            listed = transaction.participants.all()
    if as_json:
        print_json([_row(participant) for participant in listed])
        return
    for participant in listed:
        echo(_line(participant))
    if not listed:
        echo("No participants yet.")
    if wait:
        echo(wait)


def _row(participant: Participant) -> dict[str, object]:
    return {
        "participant": participant.code,
        "kind": participant.kind.value,
        "roles": sorted(participant.roles),
        "description": participant.description,
    }


def _line(participant: Participant) -> str:
    roles = ", ".join(sorted(participant.roles))
    line = f"{participant.code:<16} {participant.kind:<6} {roles:<28} {participant.description}"
    return line.rstrip()
