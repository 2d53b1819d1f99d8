"""Who looks back at training, and at whose answers they may look."""

from dataclasses import dataclass

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role


@dataclass(frozen=True, slots=True)
class TrainingViewer:
    """The person who signed in, in the role that they chose."""

    code: str
    role: Role

    @property
    def is_lead(self) -> bool:
        return self.role is Role.LEAD

    def require_access_to(self, code: str) -> None:
        """Refuse a labeler another one's progress, and a reviewer anybody's."""
        own = self.role is Role.LABELER and code == self.code
        if not (self.is_lead or own):
            raise RefusedError("Only the lead can look at somebody else's training.")

    def require_member_of(self, group: tuple[str, ...]) -> None:
        """Refuse a discussion to whoever is neither in its group nor the lead."""
        takes_part = self.role is Role.LABELER and self.code in group
        if not (self.is_lead or takes_part):
            raise RefusedError(
                "Only those who take part in a discussion, and the lead, can see it."
            )
