"""Opens studies and signs people in: start page, sign-in page, and what follows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from labeler.app.opened_study import OpenedStudy, open_for_window
from labeler.app.runner import ignore
from labeler.app.study.backups import RestorableStudy, find_restorable_study, restore_study
from labeler.app.study.demo_support import DemoSupport
from labeler.app.study.recent_studies import RecentStudies
from labeler.app.study.sign_in import Credentials, SignedIn, SignInFacts, SignInForm
from labeler.core.study.entities import Role
from labeler.store.sharing.bundle_file import is_bundle_file
from labeler.store.study.folder import StudyFolder
from labeler.ui.kit.text.empty_state import LoadingScreen
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.window.context import WindowContext
from labeler.ui.window.study_navigation import LeavableTask, StudyNavigation

_BACKUP_CHECK_MS = 10_000


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """What the program was started for: a study, and the code of a person in it."""

    study: Path | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class _SignInPlan:
    """What happens when a study has been opened.

    With credentials the sign-in page is skipped unless they are refused. `note` is shown there.
    """

    credentials: Credentials | None = None
    first_screen: Callable[[StudyNavigation], None] = StudyNavigation.show_home
    note: str = ""


_ASK = _SignInPlan()


class Navigation(QObject):
    """Decides which screen is shown: itself until someone signs in, then `signed_in`.

    The start page and bundles are imported when they are opened, as in `StudyNavigation`.
    """

    def __init__(self, context: WindowContext, demo: DemoSupport) -> None:
        super().__init__(context.window)
        self._context, self._demo = context, demo
        self._study: OpenedStudy | None = None
        self.signed_in: StudyNavigation | None = None
        self._backup_timer = QTimer(self, interval=_BACKUP_CHECK_MS)
        self._backup_timer.timeout.connect(self._back_up)
        self._backup_timer.start()
        context.window.home_wanted.connect(self._go_home)
        context.window.closing.connect(self.close)

    @property
    def task(self) -> LeavableTask | None:
        """The task that is open, if any: an evaluation, a training or a review."""
        return None if self.signed_in is None else self.signed_in.task

    @property
    def is_blind(self) -> bool:
        """Whether error messages and logs must not reveal anything about images."""
        return self._current_context.is_blind

    @property
    def _current_context(self) -> WindowContext:
        return self._context if self.signed_in is None else self.signed_in.context

    def start(self, request: LaunchRequest) -> None:
        """Show what the program was started for."""
        if request.study is None:
            self.show_start()
        elif request.code is None:
            self.open_study(request.study)
        else:
            credentials = Credentials(code=request.code, role=Role.LABELER, chosen=False)
            self.open_study(request.study, _SignInPlan(credentials, _begin_if_labeler))

    def close(self) -> None:
        """Leave everything so that it can be continued, and close the study."""
        if self.signed_in is not None:
            self.signed_in.close()
        self._context.workers.finish()
        if self._study is not None:
            self._study.close()
            self._study = None

    def show_start(self, sentence: str = "", *, damaged: RestorableStudy | None = None) -> None:
        """Show the start page; `sentence` says what went wrong before."""
        from labeler.ui.study.start_controller import StartController

        controller = StartController(self._context, self._demo, sentence=sentence, damaged=damaged)
        controller.study_wanted.connect(self.open_study)
        controller.study_made.connect(self._enter_new_study)
        controller.put_back_wanted.connect(self._restore_damaged)
        self._context.window.show_screen(controller.screen)

    def _go_home(self) -> None:
        if self.signed_in is not None:
            self.signed_in.go_home()

    def _enter_new_study(self, path: Path, person: Credentials) -> None:
        """Sign in to a new study: a lead to its set-up, a labeler to the first image."""
        is_lead = person.role is Role.LEAD
        first_screen = StudyNavigation.show_set_up if is_lead else _begin_if_labeler
        self.open_study(path, _SignInPlan(person, first_screen))

    # A study.

    def open_study(self, path: Path, plan: _SignInPlan = _ASK) -> None:
        """Open the study and sign a person in; the window shows a loading page meanwhile."""
        self._show_loading()
        if is_bundle_file(path):
            self._open_bundle(path)
            return
        self._context.run(
            "open study",
            lambda: self._open(path),
            done=lambda opened: self._study_opened(*opened, plan),
            failed=partial(self._study_not_opened, path),
        )

    def _open_bundle(self, file: Path) -> None:
        """Ask for what opens the bundle; its person needs no other sign-in."""
        from labeler.ui.sharing.bundle_controller import BundleOpening

        opening = BundleOpening(self._context)
        opening.opened.connect(partial(self._bundle_opened, file))
        opening.failed.connect(self.show_start)
        opening.other_study_wanted.connect(self.show_start)
        opening.show(file)

    def _bundle_opened(self, file: Path, study: OpenedStudy, person: Credentials) -> None:
        self._study = study
        RecentStudies().remember(study.name, file)
        self._context.window.set_study(study.name)
        self._sign_in(study, person, refused=lambda sentence: self._leave_study(study, sentence))

    def _open(self, path: Path) -> tuple[OpenedStudy, SignInFacts]:
        study = open_for_window(path, clock=self._context.clock)
        return study, study.sign_in_facts(self._demo.sign_in_hint)

    def _study_opened(self, study: OpenedStudy, facts: SignInFacts, plan: _SignInPlan) -> None:
        self._study = study
        self._back_up()
        self._prepare_references(study)
        RecentStudies().remember(study.name, study.places.folder)
        self._context.window.set_study(study.name)
        if plan.credentials is None:
            self._show_sign_in(study, facts, note=plan.note)
        else:
            self._sign_in(
                study,
                plan.credentials,
                first_screen=plan.first_screen,
                refused=partial(self._show_sign_in, study, facts, code=plan.credentials.code),
            )

    def _study_not_opened(self, path: Path, sentence: str) -> None:
        """Return to the start page, which offers backups if the study is damaged."""
        self._context.run(
            "look for backups",
            lambda: find_restorable_study(path),
            done=partial(self._offer_backups, sentence),
            failed=lambda _sentence: self.show_start(sentence),
        )

    def _offer_backups(self, sentence: str, damaged: RestorableStudy | None) -> None:
        self.show_start(damaged.sentence if damaged else sentence, damaged=damaged)

    def _leave_study(self, study: OpenedStudy, sentence: str = "") -> None:
        """Close the study and show the start page; `sentence` says what went wrong before."""
        self._forget_study()
        self._context.window.set_study("")
        self._context.run(
            "close study",
            study.close,
            done=lambda _nothing: self.show_start(sentence),
            failed=lambda error: self.show_start(sentence or error),
        )

    def _forget_study(self) -> None:
        self._close_signed_in()
        self._study = None

    def _show_loading(self) -> None:
        self._context.window.show_screen(LoadingScreen(self._context.appearance))

    # Backups.

    def _restore(self, study: OpenedStudy, backup: str) -> None:
        """Replace the open study by one of its backups, and open that."""
        self._forget_study()
        self._run_restore(study.places.folder, lambda: study.restore(backup))

    def _restore_damaged(self, path: Path, backup: str) -> None:
        """Replace a study that couldn't be opened by one of its backups."""
        clock = self._context.clock
        self._run_restore(path, lambda: restore_study(StudyFolder(path), backup, clock=clock))

    def _run_restore(self, path: Path, restore: Callable[[], str]) -> None:
        self._show_loading()
        self._context.run(
            "restore backup",
            restore,
            done=lambda note: self.open_study(path, _SignInPlan(note=note)),
            failed=self.show_start,
        )

    def _back_up(self) -> None:
        if self._study is not None:
            self._context.workers.background.run(
                "back up",
                self._study.back_up,
                done=self._backup_checked,
                failed=self._backup_failed,
                urgent=False,
            )

    def _prepare_references(self, study: OpenedStudy) -> None:
        """Build the sheets of references that a shared study got on another machine."""
        if study.is_shared:
            self._context.workers.background.run_with_progress(
                "prepare shared references",
                lambda job: study.prepare_references(lambda: job.cancelled),
                done=ignore,
                # Panels say what is missing, and the next opening tries again.
                failed=self._backup_failed,
                progress=lambda _done, _total: None,
            )

    def _backup_checked(self, made: bool) -> None:
        if made and self.signed_in is not None:
            self.signed_in.show_backup()

    def _backup_failed(self, error: Exception) -> None:
        """Record the incident; the next attempt is seconds later."""
        self._current_context.describe_error(error)

    # A person.

    def _show_sign_in(
        self,
        study: OpenedStudy,
        facts: SignInFacts,
        sentence: str = "",
        *,
        code: str = "",
        note: str = "",
    ) -> None:
        """Ask for a code; `sentence` says why the given one was refused."""
        memory, folder = self._context.memory, study.places.folder
        last, role = memory.person(folder)
        form = SignInForm(
            facts, code=code or last, role=role, role_of=partial(memory.role_of, folder)
        )
        screen = SignInScreen(self._context.appearance, form)
        screen.other_study_wanted.connect(lambda: self._leave_study(study))
        screen.signed_in_wanted.connect(
            lambda given: self._sign_in(study, given, refused=screen.refuse)
        )
        self._context.window.show_screen(screen)
        screen.note(note)
        if sentence:
            screen.refuse(sentence)

    def _sign_in(
        self,
        study: OpenedStudy,
        given: Credentials,
        *,
        refused: Callable[[str], None],
        first_screen: Callable[[StudyNavigation], None] = StudyNavigation.show_home,
    ) -> None:
        self._context.run(
            "sign in",
            lambda: study.sign_in(given),
            done=lambda person: self._has_signed_in(study, person, first_screen),
            failed=refused,
        )

    def _has_signed_in(
        self, study: OpenedStudy, person: SignedIn, first_screen: Callable[[StudyNavigation], None]
    ) -> None:
        self._context.memory.remember_person(
            study.places.folder, code=person.code, role=person.role
        )
        signed_in = self.signed_in = StudyNavigation(self._context.for_person(study, person))
        signed_in.failed.connect(lambda sentence: self._leave_study(study, sentence))
        signed_in.sign_out_wanted.connect(lambda: self._sign_out(study))
        signed_in.restore_wanted.connect(lambda backup: self._restore(study, backup))
        first_screen(signed_in)

    def _sign_out(self, study: OpenedStudy) -> None:
        if study.is_bundle:
            self._leave_study(study)
            return
        self._close_signed_in()
        self._context.run(
            "read sign-in page",
            lambda: study.sign_in_facts(self._demo.sign_in_hint),
            done=partial(self._show_sign_in, study),
            failed=self.show_start,
        )

    def _close_signed_in(self) -> None:
        if self.signed_in is not None:
            self.signed_in.close()
            self.signed_in = None


def _begin_if_labeler(signed_in: StudyNavigation) -> None:
    """Go to the evaluation, or home in a role that has none."""
    if signed_in.context.role is Role.LABELER:
        signed_in.begin_evaluation()
    else:
        signed_in.show_home()
