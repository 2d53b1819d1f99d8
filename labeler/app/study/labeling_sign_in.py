"""Signing in: a code that the lead gave, in a role that its person holds."""

from labeler.app.study.settings import check_lead_passphrase, study_settings
from labeler.app.study.signed_in import SignedIn
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ParticipantKind, Role
from labeler.store.study.sessions import require_role
from labeler.store.study_store import StudyStore


def sign_in(
    store: StudyStore,
    code: str,
    role: Role,
    passphrase: str | None = None,
    *,
    chosen: bool = True,
) -> SignedIn:
    """Let the person in, or refuse with the reason; the lead's role may need a passphrase.

    Who didn't choose a role and holds a single one needn't: they come in with that.
    """
    known = code.strip()
    held = roles_of(store, known)
    # Where the lead's role has a passphrase, it is taken by nobody who didn't mean to.
    if not chosen and len(held) == 1 and (held[0] is not Role.LEAD or not _is_guarded(store)):
        role = held[0]
    with store.read() as study:
        require_role(study.session, known, role)
    if role is Role.LEAD and not check_lead_passphrase(store, passphrase or ""):
        raise RefusedError(
            "That isn't the lead's passphrase. Try again, or choose another role."
            if passphrase
            else "The lead's role needs the study's passphrase. Type it, then sign in."
        )
    return SignedIn(known, role)


def _is_guarded(store: StudyStore) -> bool:
    return study_settings(store).has_lead_passphrase


def roles_of(store: StudyStore, code: str) -> tuple[Role, ...]:
    """The roles that the person may choose from; an unknown code or a model's is refused."""
    known = code.strip()
    if not known:
        raise RefusedError("Type the code that the lead gave you, then sign in.")
    with store.read() as study:
        participant = study.participants.find(known)
    if participant is None:
        raise RefusedError(
            f"The study has no participant '{known}'. Sign in with the code that the lead gave you."
        )
    if participant.kind is ParticipantKind.MODEL:
        raise RefusedError(f"'{known}' is a model; only people can sign in.")
    return tuple(role for role in Role if role in participant.roles)
