"""What a lead can set in a study."""

from dataclasses import dataclass

from labeler.core.active_time import IDLE_AFTER_MS
from labeler.store.study import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings:
    """The idle threshold decides how active time is computed; raw intervals don't depend on it."""

    asks_confidence: bool = False
    idle_seconds: int = IDLE_AFTER_MS // 1000
    has_lead_passphrase: bool = False

    @property
    def idle_after_ms(self) -> int:
        return self.idle_seconds * 1000


def study_settings(store: StudyStore) -> StudySettings:
    raise NotImplementedError


def change_settings(
    store: StudyStore, *, asks_confidence: bool | None = None, idle_seconds: int | None = None
) -> StudySettings:
    """Change what is given and leave the rest."""
    raise NotImplementedError


def set_lead_passphrase(store: StudyStore, passphrase: str) -> None:
    raise NotImplementedError


def remove_lead_passphrase(store: StudyStore) -> None:
    raise NotImplementedError


def check_lead_passphrase(store: StudyStore, text: str) -> bool:
    """Whether the text is the lead's passphrase; true too when the study has none."""
    raise NotImplementedError
