"""Who has signed in."""

from dataclasses import dataclass

from labeler.core.study.entities import Role


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A participant, in the role that they chose."""

    code: str
    role: Role
