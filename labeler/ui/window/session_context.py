"""Someone at the window with a study: who, at what, and how to ask the study something."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject

from labeler.app.incidents import error_sentence
from labeler.app.study.preferences import PreferencesStore
from labeler.core.clock import Clock
from labeler.core.study.entities import Role
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy
    from labeler.app.study.home_facts import HomeFacts
    from labeler.app.study.sign_in import SignedIn
    from labeler.ui.guide.guide_controller import GuideController
    from labeler.ui.models.models_controller import ModelsController
    from labeler.ui.study.setup.setup_controller import SetupController
    from labeler.ui.training.training_review import TrainingReviewController

T = TypeVar("T")


class LeavableTask(Protocol):
    """Something that a person sits at, and leaves as it is."""

    def leave(self, then: Callable[[], None]) -> None: ...


class SessionContext(QObject):
    """Knows the open study, who is signed in, and what they sit at."""

    def __init__(
        self,
        window: MainWindow,
        *,
        appearance: Appearance,
        preferences: PreferencesStore,
        memory: SavedWindowState,
        workers: Workers,
        clock: Clock,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._appearance = appearance
        self._preferences, self._memory = preferences, memory
        self._workers, self._clock = workers, clock
        self._study: OpenedStudy | None = None
        self._person: SignedIn | None = None
        self._models: ModelsController | None = None
        self._guide: GuideController | None = None
        self._training_review: TrainingReviewController | None = None
        self._task: LeavableTask | None = None
        self._set_up: SetupController | None = None
        self._home: HomeFacts | None = None

    @abstractmethod
    def show_home(self, sentence: str = "") -> None:
        """Show the home of who is signed in; `sentence` says what didn't go as it should."""

    @property
    def task(self) -> LeavableTask | None:
        """What the person sits at, if anything: an evaluation or a training."""
        return self._task

    @property
    def is_blind(self) -> bool:
        """Whether anyone who sits here may read nothing that could tell a target: all but a
        lead."""
        return self._person is None or self._person.role is not Role.LEAD

    def _ask(
        self, work: Callable[[], T], *, done: Callable[[T], None], failed: Callable[[str], None]
    ) -> None:
        self._workers.database.submit(
            lambda _job: work(),
            done=done,
            failed=lambda error: failed(self._sentence(error)),
        )

    def _sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock, blind=self.is_blind)

    def _require_study(self) -> "OpenedStudy":
        assert self._study is not None, "this screen belongs to a study"
        return self._study

    def _require_person(self) -> "SignedIn":
        assert self._person is not None, "this screen belongs to somebody who signed in"
        return self._person
