"""What screens need from the program, and from the study that a person has open."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from labeler.app.incidents import error_sentence
from labeler.app.keymap import Keymap
from labeler.app.opened_study import OpenedStudy
from labeler.app.runner import ignore
from labeler.app.study.preferences import PreferencesStore
from labeler.app.study.sign_in import SignedIn
from labeler.core.clock import Clock
from labeler.core.study.entities import Role
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowContext:
    """The window and what the program provides to every screen in it."""

    window: MainWindow
    appearance: Appearance
    preferences: PreferencesStore
    memory: SavedWindowState
    workers: Workers
    clock: Clock

    @property
    def keymap(self) -> Keymap:
        """The keys in force, which the person can change while a screen is open."""
        return self.window.keymap

    @property
    def is_blind(self) -> bool:
        """Whether error messages and logs must not reveal anything about images."""
        return True

    def describe_error(self, error: Exception) -> str:
        """Return a sentence for the person about an error."""
        return error_sentence(error, clock=self.clock, blind=self.is_blind)

    def run(
        self,
        name: str,
        work: Callable[[], T],
        *,
        done: Callable[[T], None] = ignore,
        failed: Callable[[str], None],
    ) -> None:
        """Run a job on the database worker; `failed` gets a sentence for the person."""
        self.workers.database.run(
            name, work, done=done, failed=lambda error: failed(self.describe_error(error))
        )

    def for_person(self, study: OpenedStudy, person: SignedIn) -> "StudyContext":
        """Return the context of a person who has signed in to a study."""
        return StudyContext(
            window=self.window,
            appearance=self.appearance,
            preferences=self.preferences,
            memory=self.memory,
            workers=self.workers,
            clock=self.clock,
            study=study,
            person=person,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyContext(WindowContext):
    """The same, with an open study and the person who has signed in to it."""

    study: OpenedStudy
    person: SignedIn

    @property
    def code(self) -> str:
        return self.person.code

    @property
    def role(self) -> Role:
        return self.person.role

    @property
    def is_blind(self) -> bool:
        """Only a lead may see what images are about."""
        return self.role is not Role.LEAD
