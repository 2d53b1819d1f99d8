"""Signing in: a code that the lead gave, in a role that its person holds."""

from dataclasses import dataclass

from labeler.core.study import Role
from labeler.store.study import StudyStore


@dataclass(frozen=True, slots=True)
class SignedIn:
    code: str
    role: Role


def sign_in(store: StudyStore, code: str, role: Role, passphrase: str | None = None) -> SignedIn:
    """Let the person in, or refuse with the reason; the lead's role may need a passphrase."""
    raise NotImplementedError


def roles_of(store: StudyStore, code: str) -> tuple[Role, ...]:
    """The roles that the person may choose from; an unknown code or a model's is refused."""
    raise NotImplementedError
