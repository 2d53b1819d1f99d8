"""Adding the people of a study."""

from collections.abc import Iterable

from labeler.core.codes import is_code
from labeler.core.drawing import derived_seed
from labeler.core.errors import Refused
from labeler.core.study import Participant, ParticipantKind, Role
from labeler.store.study import StudyStore


def add_person(
    store: StudyStore,
    code: str,
    *,
    roles: Iterable[Role],
    description: str = "",
    name: str | None = None,
    order_seed: int | None = None,
) -> Participant:
    """Add a human under a code; the order of their trials comes from a seed of their own."""
    if not is_code(code):
        raise Refused(
            f"'{code}' can't be a participant's code: up to 64 characters, without spaces, commas, "
            "bars or slashes."
        )
    wanted = _required(roles)
    seed = derived_seed(store.identity.seed, "order", code) if order_seed is None else order_seed
    person = Participant(code, ParticipantKind.HUMAN, description, wanted, seed)
    with store.write() as study:
        study.participants.add(person, name=name)
        study.audit.record("participant added", participant=code, roles=sorted(wanted))
    return person


def change_roles(store: StudyStore, code: str, roles: Iterable[Role]) -> None:
    """Give a person these roles and no others."""
    wanted = _required(roles)
    with store.write() as study:
        study.participants.set_roles(code, wanted)
        study.audit.record("roles changed", participant=code, roles=sorted(wanted))


def _required(roles: Iterable[Role]) -> frozenset[Role]:
    wanted = frozenset(roles)
    if not wanted:
        raise Refused("A person needs at least one role: labeler, reviewer or lead.")
    return wanted
