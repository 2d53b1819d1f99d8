"""Commands for the people and models of a study."""

from pathlib import Path

import click

from labeler.app.people import add_person, change_roles
from labeler.commands.terminal import json_option, print_json, say, study_argument, studying
from labeler.core.study import Participant, Role

role_option = click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([role.value for role in Role]),
    help="May be given several times.",
)


@click.group(invoke_without_command=True)
@study_argument
@json_option
@click.pass_context
def participants(context: click.Context, study: Path, as_json: bool) -> None:
    """List the participants of STUDY, or add people.

    \b
    labeler participants STUDY
    labeler participants STUDY add A --role labeler
    labeler participants STUDY set A --role labeler --role reviewer
    """
    context.obj = study
    if context.invoked_subcommand is not None:
        return
    with studying(study, writes=False) as store, store.read() as transaction:
        everybody = transaction.participants.all()
    if as_json:
        print_json([_row(participant) for participant in everybody])
    elif not everybody:
        say("There are no participants yet.")
    else:
        for participant in everybody:
            roles = ", ".join(sorted(participant.roles))
            say(
                f"{participant.code:<16} {participant.kind:<6} {roles:<28} "
                f"{participant.description}".rstrip()
            )


@participants.command()
@click.argument("code")
@role_option
@click.option("--description", default="", help="Shown to the lead and in reports.")
@click.option("--name", help="The person's name, kept apart and never shown unless asked for.")
@click.option("--seed", type=int, help="The seed of their order of trials; derived unless given.")
@click.pass_obj
def add(
    study: Path,
    *,
    code: str,
    roles: tuple[str, ...],
    description: str,
    name: str | None,
    seed: int | None,
) -> None:
    """Add a person under the code CODE."""
    with studying(study) as store:
        add_person(
            store,
            code,
            roles=[Role(role) for role in roles],
            description=description,
            name=name,
            order_seed=seed,
        )
    say(f"Added {code}: {', '.join(roles)}.")


@participants.command("set")
@click.argument("code")
@role_option
@click.pass_obj
def set_roles(study: Path, code: str, roles: tuple[str, ...]) -> None:
    """Give CODE these roles and no others."""
    with studying(study) as store:
        change_roles(store, code, [Role(role) for role in roles])
    say(f"{code} is now: {', '.join(roles) or 'without a role'}.")


def _row(participant: Participant) -> dict[str, object]:
    return {
        "participant": participant.code,
        "kind": participant.kind.value,
        "roles": sorted(participant.roles),
        "description": participant.description,
    }
