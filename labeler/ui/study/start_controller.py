"""Controller of the start page: opens the demo or a study, or creates a new one."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from labeler.app.background_task import BackgroundTask
from labeler.app.progress import ProgressReporter
from labeler.app.study.backups import RestorableStudy
from labeler.app.study.demo_support import DemoSupport, demo_folder
from labeler.app.study.joining import (
    JoinRequest,
    SharedStudy,
    create_joined_folder,
    look_at_study,
    prepare_joined,
)
from labeler.app.study.recent_studies import RecentStudies
from labeler.app.study.sign_in import Credentials
from labeler.app.study.start import (
    NewStudyForm,
    NewStudyProblem,
    StartView,
    field_at_fault,
    new_study_with_lead,
    proposed_folder,
    proposed_name,
    studies_folder,
)
from labeler.core.study.entities import Role
from labeler.ui.study.restore_backup_dialog import RestoreBackupDialog
from labeler.ui.study.start_screen import StartScreen
from labeler.ui.window.context import WindowContext


class StartController(QObject):
    """Opens or creates the study that a person wants to work on."""

    study_wanted = Signal(Path)
    study_made = Signal(Path, Credentials)
    put_back_wanted = Signal(Path, str)

    def __init__(
        self,
        context: WindowContext,
        demo: DemoSupport,
        *,
        sentence: str = "",
        damaged: RestorableStudy | None = None,
    ) -> None:
        """`sentence` says why the start page is shown again, `damaged` which study didn't open."""
        self.screen = StartScreen(context.appearance)
        super().__init__(self.screen)
        self._context, self._demo_support = context, demo
        self._demo = BackgroundTask(
            "build demo study",
            self._build_demo,
            runner=context.workers.background,
            clock=context.clock,
            show=self.screen.show_progress,
            done=self.study_wanted.emit,
            failed=self._fail,
        )
        self._images = Path()
        self._quick_study = BackgroundTask(
            "create study from images",
            self._create_from_images,
            runner=context.workers.background,
            clock=context.clock,
            show=self.screen.show_progress,
            done=self._has_made_from_images,
            failed=self._fail,
        )
        self._joined = Path()
        self._references = BackgroundTask(
            "prepare joined study",
            self._prepare_joined,
            runner=context.workers.background,
            clock=context.clock,
            show=self.screen.show_progress,
            done=self.study_wanted.emit,
            failed=self._fail,
        )
        self.screen.cancel_wanted.connect(self._references.cancel)
        self.screen.look_wanted.connect(self._look_at_study)
        self.screen.join_wanted.connect(self._join_study)
        self.screen.demo_wanted.connect(self._demo.start)
        self.screen.cancel_wanted.connect(self._demo.cancel)
        self.screen.cancel_wanted.connect(self._quick_study.cancel)
        self.screen.images_chosen.connect(self._label_images)
        self.screen.open_wanted.connect(self.study_wanted)
        self.screen.recent_chosen.connect(self.study_wanted)
        self.screen.new_wanted.connect(self._make_study)
        today = context.clock.utc().astimezone().date()
        self.screen.render_view(StartView(RecentStudies().all(), proposed_name(today)))
        if sentence:
            self.screen.say(sentence)
        if damaged is not None:
            self.screen.put_back_wanted.connect(partial(self._ask_for_backup, damaged))
            self.screen.offer_backups()

    def _build_demo(self, progress: ProgressReporter) -> Path:
        folder = demo_folder()
        self._demo_support.build(folder, clock=self._context.clock, progress=progress)
        return folder

    def _label_images(self, images: Path) -> None:
        if not (self._quick_study.runs or self._demo.runs):
            self._images = images
            self._quick_study.start()

    def _create_from_images(self, progress: ProgressReporter) -> tuple[Path, Credentials]:
        # Imported when needed: the start page doesn't wait for what imports images.
        from labeler.app.study.quick_study import (
            LABELER,
            QuickStudyRequest,
            create_quick_study,
            skip_rules,
        )

        images = self._images
        folder = proposed_folder(images.resolve().name, inside=studies_folder()).folder
        request = QuickStudyRequest(folder=folder, images=images, name=images.resolve().name)
        create_quick_study(request, clock=self._context.clock, progress=progress)
        skip_rules(folder)
        return folder, Credentials(code=LABELER, role=Role.LABELER)

    def _look_at_study(self, address: str) -> None:
        self._context.workers.background.run(
            "look at shared study",
            lambda: look_at_study(address, clock=self._context.clock),
            done=self._show_shared_study,
            failed=self._refuse_joining,
        )

    def _show_shared_study(self, study: SharedStudy) -> None:
        if self.screen.joining is not None:
            self.screen.joining.show_study(study)

    def _join_study(self, request: JoinRequest) -> None:
        self._context.workers.background.run(
            "join shared study",
            lambda: create_joined_folder(request, clock=self._context.clock),
            done=lambda study: self._has_joined(study, request.folder),
            failed=self._refuse_joining,
        )

    def _has_joined(self, study: SharedStudy, folder: Path) -> None:
        """Prepare the reference images before the study opens; without them it opens later."""
        RecentStudies().remember(study.name, folder)
        if self.screen.joining is not None:
            self.screen.joining.accept()
        self._joined = folder
        self._references.start()

    def _prepare_joined(self, progress: ProgressReporter) -> Path:
        return prepare_joined(self._joined, clock=self._context.clock, progress=progress)

    def _refuse_joining(self, error: Exception) -> None:
        sentence = self._context.describe_error(error)
        if self.screen.joining is not None:
            self.screen.joining.refuse(sentence)

    def _has_made_from_images(self, made: tuple[Path, Credentials]) -> None:
        self.study_made.emit(*made)

    def _ask_for_backup(self, damaged: RestorableStudy) -> None:
        dialog = RestoreBackupDialog(self._context.appearance, self.screen, damaged)
        dialog.chosen.connect(partial(self.put_back_wanted.emit, damaged.folder))
        dialog.open()

    def _make_study(self, wanted: NewStudyForm) -> None:
        self._context.workers.database.run(
            "create study",
            lambda: new_study_with_lead(wanted, clock=self._context.clock),
            done=lambda folder: self._has_made(folder, wanted),
            failed=lambda error: self._has_not_made(error, wanted),
        )

    def _has_made(self, folder: Path, wanted: NewStudyForm) -> None:
        self.screen.close_new_study_dialog()
        lead = Credentials(
            code=wanted.lead_code, role=Role.LEAD, passphrase=wanted.passphrase or None
        )
        self.study_made.emit(folder, lead)

    def _has_not_made(self, error: Exception, wanted: NewStudyForm) -> None:
        sentence = self._context.describe_error(error)
        self.screen.refuse_study(NewStudyProblem(sentence, field_at_fault(error, wanted)))

    def _fail(self, error: Exception) -> None:
        self.screen.say(self._context.describe_error(error))
