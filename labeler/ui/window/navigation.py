"""Takes a person to a study and home: start, sign-in, home, and back out again."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from labeler.app.study.demo_support import DemoSupport, SignInHint
from labeler.app.study.preferences import PreferencesStore
from labeler.app.study.recent_studies import RecentStudies
from labeler.app.study.sign_in import Credentials, SignedIn, SignInFacts
from labeler.core.clock import Clock
from labeler.core.study.entities import Role
from labeler.ui.kit.text.empty_state import LoadingScreen
from labeler.ui.window.main_window import MainWindow
from labeler.ui.window.saved_state import SavedWindowState
from labeler.ui.window.screen_navigation import TaskNavigation
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import Workers

if TYPE_CHECKING:
    from labeler.app.opened_study import OpenedStudy
    from labeler.app.study.backups import RestorableStudy
    from labeler.app.study.home_facts import HomeFacts

_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """What the program was started for: a study, perhaps someone who wants to go on there."""

    study: Path | None = None
    code: str | None = None


class Navigation(TaskNavigation):
    """Knows the open study and who is signed in, and which screen comes after which."""

    def __init__(
        self,
        window: MainWindow,
        *,
        appearance: Appearance,
        preferences: PreferencesStore,
        memory: SavedWindowState,
        workers: Workers,
        clock: Clock,
        demo: DemoSupport,
    ) -> None:
        super().__init__(
            window,
            appearance=appearance,
            preferences=preferences,
            memory=memory,
            workers=workers,
            clock=clock,
        )
        self._wanted: tuple[Credentials, Callable[[], None]] | None = None
        self._to_note = ""
        self._demo = demo
        self._minutes = QTimer(self, interval=_MINUTE_MS)
        self._minutes.timeout.connect(self._each_minute)
        self._minutes.start()
        window.home_wanted.connect(self.go_home)
        window.closing.connect(self.close)

    def start(self, request: LaunchRequest) -> None:
        """Show what the program was started for."""
        if request.study is None:
            self.show_start()
        elif request.code is None:
            self.open_study(request.study)
        else:
            self._go_on(request.study, request.code)

    def close(self) -> None:
        """Leave everything so that it is found again."""
        self._close_guide()
        if self._training_review is not None:
            self._training_review.keep()
        if self._task is not None:
            self._task.leave(lambda: None)
        self._close_models()
        self._workers.finish()
        if self._study is not None:
            self._study.close()
            self._study = None

    def show_start(self, sentence: str = "", *, damaged: "RestorableStudy | None" = None) -> None:
        """Show the first page; `sentence` says what didn't go as it should."""
        from labeler.ui.study.start_controller import StartController

        self._wanted = None
        controller = StartController(
            self._appearance,
            workers=self._workers,
            clock=self._clock,
            demo=self._demo,
            sentence=sentence,
            damaged=damaged,
        )
        controller.study_wanted.connect(self.open_study)
        controller.study_made.connect(self._enter_made)
        controller.put_back_wanted.connect(self._put_back)
        self._window.show_screen(controller.screen)

    def _go_on(self, path: Path, code: str) -> None:
        """Take a labeler to the evaluation and others home, without the sign-in page."""
        given = Credentials(code=code, role=Role.LABELER, chosen=False)
        self._wanted = given, self._begin_if_labeler
        self.open_study(path)

    def _begin_if_labeler(self) -> None:
        """Go on with the evaluation, or home in a role that has none."""
        if self._require_person().role is Role.LABELER:
            self._begin_evaluation()
        else:
            self.show_home()

    def _enter_made(self, path: Path, lead: Credentials) -> None:
        """Who has just made a study needs no sign-in, and goes on with setting it up."""
        self._wanted = lead, self.show_set_up
        self.open_study(path)

    # A study and a person.

    def open_study(self, path: Path) -> None:
        """Open the study; its window is there while the database is still being opened."""
        self._window.show_screen(LoadingScreen(self._appearance))
        self._ask(
            lambda: _open_study(path, self._clock, self._demo.sign_in_hint),
            done=self._has_opened,
            failed=partial(self._has_not_opened, path),
        )

    def _has_not_opened(self, path: Path, sentence: str) -> None:
        """Go back to the first page, where a damaged study can be fixed."""
        self._ask(
            lambda: _restorable_study(path),
            done=lambda damaged: self.show_start(sentence, damaged=damaged),
            failed=lambda _why: self.show_start(sentence),
        )

    def _put_back(self, path: Path, backup: str) -> None:
        """Put a backup in the place of a study that no one could open."""
        self._window.show_screen(LoadingScreen(self._appearance))
        self._ask(
            lambda: _restore_backup(path, backup, self._clock),
            done=partial(self._has_restored, path),
            failed=self.show_start,
        )

    def _has_opened(self, opened: "tuple[OpenedStudy, SignInFacts]") -> None:
        study, facts = opened
        self._take(study)
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            self._show_sign_in(facts)
        else:
            given, then = wanted
            self._sign_in(
                given,
                refused=lambda sentence: self._show_sign_in(facts, sentence, code=given.code),
                then=then,
            )

    def _take(self, study: "OpenedStudy") -> None:
        self._study = study
        RecentStudies().remember(study.name, study.places.folder)
        self._window.set_study(study.name)

    def _show_sign_in(self, facts: SignInFacts, sentence: str = "", *, code: str = "") -> None:
        """`code` was given and refused, as the sentence says; else the last one here is offered."""
        from labeler.app.study.sign_in import SignInForm
        from labeler.ui.study.sign_in_screen import SignInScreen

        study = self._require_study()
        folder = study.places.folder
        last, role = self._memory.person(folder)
        signing = SignInForm(
            facts, code=code or last, role=role, role_of=partial(self._memory.role_of, folder)
        )
        screen = SignInScreen(self._appearance, signing)
        screen.other_study_wanted.connect(self._leave_study)
        screen.signed_in_wanted.connect(lambda given: self._sign_in(given, refused=screen.refuse))
        self._window.show_screen(screen)
        screen.note(self._to_note)
        self._to_note = ""
        if sentence:
            screen.refuse(sentence)

    def _sign_in(
        self,
        given: Credentials,
        *,
        refused: Callable[[str], None],
        then: Callable[[], None] | None = None,
    ) -> None:
        study = self._require_study()
        self._ask(
            lambda: study.sign_in(given),
            done=lambda person: self._has_signed_in(person, then or self.show_home),
            failed=refused,
        )

    def _has_signed_in(self, person: SignedIn, then: Callable[[], None]) -> None:
        study = self._require_study()
        self._person = person
        self._memory.remember_person(study.places.folder, code=person.code, role=person.role)
        then()

    def _sign_out(self) -> None:
        self._close_models()
        study, self._person = self._require_study(), None
        facts = partial(study.sign_in_facts, self._demo.sign_in_hint)
        self._ask(facts, done=self._show_sign_in, failed=self.show_start)

    def _leave_study(self) -> None:
        study, self._study, self._person = self._require_study(), None, None
        self._window.set_study("")
        self._ask(study.close, done=lambda _nothing: self.show_start(), failed=self.show_start)

    def restore(self, backup: str) -> None:
        study, self._study, self._person = self._require_study(), None, None
        folder = study.places.folder
        self._close_models()
        self._window.show_screen(LoadingScreen(self._appearance))
        self._ask(
            lambda: study.restore(backup),
            done=partial(self._has_restored, folder),
            failed=self.show_start,
        )

    def _has_restored(self, folder: Path, message: str) -> None:
        self._to_note = message
        self.open_study(folder)

    # Home.

    def show_home(self, sentence: str = "") -> None:
        study, person = self._require_study(), self._require_person()
        self._ask(
            lambda: (study.home(person.code, person.role), study.roles_of(person.code)),
            done=lambda facts: self._render_home(*facts, sentence=sentence),
            failed=self.show_start,
        )

    def _render_home(self, facts: "HomeFacts", roles: tuple[Role, ...], *, sentence: str) -> None:
        from labeler.app.study.home import home_view
        from labeler.ui.study.home_screen import HomeScreen

        self._home = facts
        screen = HomeScreen(self._appearance, self._window.keymap)
        screen.render_view(home_view(facts, roles=roles, now=self._clock.utc()))
        screen.entered.connect(self._enter)
        screen.classes_wanted.connect(self.show_classes)
        screen.guide_wanted.connect(self.show_guide)
        screen.rules_wanted.connect(self.show_rules)
        screen.progress_wanted.connect(self.show_training_review)
        screen.discussion_wanted.connect(lambda: self.show_training_review(discussion=True))
        screen.reviewers_wanted.connect(self.show_reviewers)
        screen.models_wanted.connect(self.show_models)
        screen.set_up_wanted.connect(self.show_set_up)
        screen.settings_wanted.connect(self._window.show_settings)
        screen.role_wanted.connect(self._change_role)
        screen.sign_out_wanted.connect(self._sign_out)
        self._window.show_screen(screen)
        screen.say(sentence)

    def _change_role(self, role: Role) -> None:
        study, person = self._require_study(), self._require_person()
        self._memory.remember_person(study.places.folder, code=person.code, role=role)
        self._sign_out()

    def _each_minute(self) -> None:
        study = self._study
        if study is not None:
            self._workers.background.submit(
                lambda _job: study.back_up(),
                done=_ignore,
                failed=lambda error: _ignore(self._sentence(error)),
                urgent=False,
            )


def _open_study(
    path: Path, clock: Clock, hint_for: Callable[[str, int], SignInHint]
) -> "tuple[OpenedStudy, SignInFacts]":
    # The database's modules take longer to import than the window to appear.
    from labeler.app.opened_study import open_for_window

    study = open_for_window(path, clock=clock)
    return study, study.sign_in_facts(hint_for)


def _restorable_study(path: Path) -> "RestorableStudy | None":
    from labeler.app.study.backups import find_restorable_study

    return find_restorable_study(path)


def _restore_backup(path: Path, backup: str, clock: Clock) -> str:
    from labeler.app.study.backups import restore_study
    from labeler.store.study.folder import StudyFolder

    return restore_study(StudyFolder(path), backup, now=clock.utc())


def _ignore(_answer: object) -> None:
    """No one waits for it."""
