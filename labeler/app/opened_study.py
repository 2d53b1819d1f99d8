"""A study as the window has it open: whatever the window asks of it, in calls that may block.

The window imports this module on a worker thread, since the database's modules come with it.
"""

from dataclasses import dataclass
from pathlib import Path

from labeler.app.backups import AutomaticBackups
from labeler.app.home_facts import HomeFacts, home_facts
from labeler.app.labeling.desk import EvaluationDesk
from labeler.app.labeling.sign_in import SignedIn, roles_of, sign_in
from labeler.app.presenters.sign_in import Credentials, SignInFacts
from labeler.app.sign_in_facts import sign_in_facts
from labeler.app.studies import open_for_work
from labeler.app.study_settings import StudySettings, study_settings
from labeler.core.clock import Clock
from labeler.core.study import Role
from labeler.core.taxonomy import Taxonomy
from labeler.store.study import StudyStore


@dataclass(frozen=True, slots=True)
class StudyPlaces:
    """Where the window finds what it shows beside the trials, none of which tells a target."""

    folder: Path
    thumbnails: Path
    guide: Path


class OpenedStudy:
    """One open study; safe on several worker threads, one call at a time being a transaction."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store
        self._backups = AutomaticBackups(store, store.clock)
        self.name = store.identity.name
        self.taxonomy: Taxonomy = store.taxonomy
        self.places = StudyPlaces(
            folder=store.folder.path,
            thumbnails=store.folder.thumbnails,
            guide=store.folder.guide,
        )

    def sign_in_facts(self) -> SignInFacts:
        return sign_in_facts(self._store)

    def sign_in(self, given: Credentials) -> SignedIn:
        return sign_in(self._store, given.code, given.role, given.passphrase)

    def roles_of(self, code: str) -> tuple[Role, ...]:
        return roles_of(self._store, code)

    def home(self, code: str, role: Role) -> HomeFacts:
        return home_facts(self._store, code, role)

    def settings(self) -> StudySettings:
        return study_settings(self._store)

    def desk(self, code: str) -> EvaluationDesk:
        return EvaluationDesk(self._store, code)

    def back_up(self) -> None:
        """Make a backup when one is due."""
        self._backups.tick()

    def close(self) -> None:
        self._store.close()


def open_for_window(path: Path, *, clock: Clock) -> OpenedStudy:
    """Open the study, backed up first where something changed since the last backup."""
    return OpenedStudy(open_for_work(path, clock=clock))
